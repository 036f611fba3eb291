//! How Verilator's class calls the ports of a module.

/// How Verilator writes a Verilog name in C++: two underscores in a row would be reserved there.
pub(crate) fn cpp_name(verilog: &str) -> String {
    let mut out = String::new();
    let mut rest = verilog;
    while let Some(c) = rest.chars().next() {
        if let Some(after) = rest.strip_prefix("__") {
            out += "___05F";
            rest = after;
        } else {
            let digit_leads = out.is_empty() && c.is_ascii_digit();
            if (c.is_ascii_alphanumeric() || c == '_') && !digit_leads {
                out.push(c);
            } else {
                out += &format!("__0{:02x}", u32::from(c));
            }
            rest = &rest[c.len_utf8()..];
        }
    }
    if CPP_WORDS.contains(&out.as_str()) {
        out = format!("__SYM__{out}");
    }
    out
}

// Words of C++ that are names in SystemVerilog; Verilator marks them.
const CPP_WORDS: &[&str] = &[
    "and_eq",
    "asm",
    "auto",
    "bool",
    "catch",
    "char",
    "delete",
    "double",
    "explicit",
    "false",
    "float",
    "friend",
    "goto",
    "inline",
    "long",
    "mutable",
    "namespace",
    "new",
    "operator",
    "private",
    "short",
    "sizeof",
    "switch",
    "template",
    "throw",
    "true",
    "try",
    "typename",
    "union",
    "unsigned",
    "using",
    "volatile",
    "wchar_t",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_verilator() {
        for (name, cpp) in [
            ("cnp_valid", "cnp_valid"),
            ("a__b", "a___05Fb"),
            ("friend", "__SYM__friend"),
            ("x$y", "x__024y"),
            ("send+cnp", "send__02bcnp"),
            ("2nd", "__032nd"),
        ] {
            assert_eq!(cpp_name(name), cpp);
        }
    }
}
