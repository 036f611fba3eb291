//! The header that Verilator generates: how its class calls the ports of a module.

use congruent_ports::PortDir;

/// A port of a Verilated module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct VerilogPort {
    /// Name in the RTL.
    pub(crate) name: String,
    /// Direction; `None` for inout.
    pub(crate) dir: Option<PortDir>,
    /// Width in bits.
    pub(crate) width: u32,
    /// Whether it is an unpacked array of such.
    pub(crate) array: bool,
}

/// Reads lines such as `VL_IN8(&cnp_valid,0,0);` and `VL_OUTW((&x)[4],69,0,3);`.
pub(crate) fn parse(header: &str) -> Vec<VerilogPort> {
    header.lines().filter_map(|line| port(line.trim())).collect()
}

fn port(line: &str) -> Option<VerilogPort> {
    let (macro_name, rest) = line.strip_prefix("VL_")?.split_once('(')?;
    let (arguments, _) = rest.rsplit_once(')')?;
    let dir = match macro_name.trim_end_matches(|c: char| c.is_ascii_digit() || c == 'W') {
        "IN" => Some(PortDir::In),
        "OUT" => Some(PortDir::Out),
        "INOUT" => None,
        _ => return None,
    };
    let mut arguments = arguments.split(',');
    let target = arguments.next()?;
    let msb: i64 = arguments.next()?.trim().parse().ok()?;
    let lsb: i64 = arguments.next()?.trim().parse().ok()?;
    let array = target.contains('[');
    let name = target.split('[').next()?.trim_matches(|c| "(&) ".contains(c));
    let width = u32::try_from(msb.abs_diff(lsb) + 1).ok()?;
    Some(VerilogPort { name: verilog_name(name), dir, width, array })
}

/// How Verilator writes a Verilog name in C++: two underscores in a row would be reserved there.
pub(crate) fn cpp_name(verilog: &str) -> String {
    let mut out = String::new();
    let mut rest = verilog;
    while let Some(c) = rest.chars().next() {
        if let Some(after) = rest.strip_prefix("__") {
            out += "___05F";
            rest = after;
        } else {
            if c.is_ascii_alphanumeric() || c == '_' {
                out.push(c);
            } else {
                out += &format!("__0{:02X}", u32::from(c));
            }
            rest = &rest[c.len_utf8()..];
        }
    }
    if CPP_WORDS.contains(&out.as_str()) {
        out = format!("__SYM__{out}");
    }
    out
}

fn verilog_name(cpp: &str) -> String {
    let cpp = cpp.strip_prefix("__SYM__").unwrap_or(cpp);
    cpp.replace("___05F", "__").replace("__024", "$")
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
    fn reads_the_ports_of_a_header() {
        let header = "    VL_IN8(&clk,0,0);\n    VL_IN64(&in___05Fwide,39,0);\n\
                      VL_OUT(&r,31,8);\n    VL_OUTW(&(vw),69,0,3);\n    VL_INOUT16(&pad,8,0);\n\
                      VL_IN8((&lane)[4],7,0);\n    VL_UNCOPYABLE(Vtiny);\n";
        let port =
            |name: &str, dir, width, array| VerilogPort { name: name.into(), dir, width, array };
        assert_eq!(
            parse(header),
            [
                port("clk", Some(PortDir::In), 1, false),
                port("in__wide", Some(PortDir::In), 40, false),
                port("r", Some(PortDir::Out), 24, false),
                port("vw", Some(PortDir::Out), 70, false),
                port("pad", None, 9, false),
                port("lane", Some(PortDir::In), 8, true),
            ]
        );
    }

    #[test]
    fn names_go_there_and_back() {
        for name in ["cnp_valid", "a__b", "new", "x$y"] {
            assert_eq!(verilog_name(&cpp_name(name)), name);
        }
        assert_eq!(cpp_name("a__b"), "a___05Fb");
    }
}
