//! How far a field of the DUT may be off: `2lsb`, or an amount in the unit that people read it in.
//!
//! An LSB is one of the DUT's own word. What an amount in Gbps is in bits depends on the line rate, an
//! attribute, so it is worked out for each leg ([`in_lsb`]).

use crate::compare::{Rules, Tolerance};
use crate::error::{Error, Result};
use crate::units::{Refusal, Units};
use congruent_hw::attributes::AttributeSet;
use congruent_hw::unit::Unit;
use congruent_ports::{FieldRole, Layout, ParamSet, Port, PortRole, Quantity};

/// Adds tolerances that are written as `FIELD=AMOUNT` to rules.
///
/// # Errors
/// A field that there is not, or that takes no tolerance; an amount that is none of its unit.
pub fn add(rules: &mut Rules, layout: &Layout, options: &[String]) -> Result<()> {
    for option in options {
        let refuse = |what: &str, accepted: String| {
            Error::input(format!("--tolerance {option}: {what}"), format!("accepted is {accepted}"))
        };
        let Some((name, amount)) = option.split_once('=') else {
            let example = "a field and an amount, as --tolerance upd_rate=2lsb";
            return Err(refuse("there is no `=` in it", example.to_string()));
        };
        let Some(word) = word_of(layout, name) else {
            let what = format!("{} has no output `{name}`", layout.block.name);
            return Err(refuse(&what, names(layout)));
        };
        let port = &layout.outputs[word];
        if quantity_of(port).is_none() {
            let what = format!("{} is exact: {}", port.name, why_exact(port));
            return Err(refuse(&what, names(layout)));
        }
        let tolerance = parse(port, &layout.params, amount);
        let tolerance = tolerance.map_err(|r| refuse(&format!("`{amount}` {}", r.why), r.accepted));
        rules.at(word).tolerance = Some(tolerance?);
    }
    Ok(())
}

/// The output word of a field that is named as its port, or as `channel.field`.
pub fn word_of(layout: &Layout, name: &str) -> Option<usize> {
    layout.outputs.iter().position(|port| {
        let dotted = match port.role {
            PortRole::Payload(channel, field) => format!("{}.{}", channel.name, field.name),
            PortRole::Valid(channel) => format!("{}.valid", channel.name),
            PortRole::Ready(channel) => format!("{}.ready", channel.name),
            PortRole::Level(_) | PortRole::Control(_) | PortRole::Cfg(_) => String::new(),
        };
        port.name == name || dotted == name
    })
}

/// Reads an amount for an output: `2lsb`, `2 lsb`, `0.5Gbps`; a bare number where the field has no
/// unit.
///
/// # Errors
/// Why it is none, and what is accepted; also for an output that takes no tolerance.
pub fn parse(port: &Port, params: &ParamSet, text: &str) -> Result<Tolerance, Refusal> {
    let Some(quantity) = quantity_of(port) else {
        return Err(Refusal { why: why_exact(port), accepted: "no tolerance here".to_string() });
    };
    let unit = Units::new(params, 1.0).unit(quantity);
    let accepted = || match unit {
        "" => "an amount such as 2lsb, or a number of the field's own".to_string(),
        unit => format!("an amount such as 2lsb or 0.5{unit}"),
    };
    let refuse = |why| Refusal { why, accepted: accepted() };
    let at = text.find(|c: char| !(c.is_ascii_digit() || "+-.".contains(c)));
    let (number, its) = text.split_at(at.unwrap_or(text.len()));
    let its = its.trim();
    if number.starts_with('-') {
        return Err(refuse("is negative"));
    }
    if its.eq_ignore_ascii_case("lsb") {
        let whole = number.parse().map_err(|_| refuse("is no whole number of LSB"));
        return whole.map(Tolerance::Lsb);
    }
    let amount: f64 = match number.parse() {
        Ok(amount) => amount,
        Err(_) => return Err(refuse("is no amount")),
    };
    match its == unit {
        true => Ok(Tolerance::Natural(amount)),
        false if its.is_empty() => Err(refuse("has no unit")),
        false => Err(refuse("is in another unit than the field")),
    }
}

/// A tolerance as people read it.
pub fn describe(tolerance: Tolerance, quantity: Quantity, params: &ParamSet) -> String {
    match tolerance {
        Tolerance::Lsb(most) => format!("{most} lsb"),
        Tolerance::Natural(most) => {
            format!("{most} {}", Units::new(params, 1.0).unit(quantity)).trim_end().to_string()
        }
    }
}

/// Rules with every tolerance in LSB of the DUT's words, for a leg with these attributes.
pub fn in_lsb(rules: &Rules, layout: &Layout, unit: &dyn Unit, attributes: &AttributeSet) -> Rules {
    if !rules.depend_on_units() {
        return rules.clone();
    }
    let units = Units::new(&layout.params, unit.line_rate_gbps(attributes));
    rules.in_lsb(|word| {
        let quantity = layout.outputs.get(word).and_then(quantity_of);
        quantity.map_or(1.0, |quantity| units.lsb(quantity))
    })
}

/// What a field that takes a tolerance means.
fn quantity_of(port: &Port) -> Option<Quantity> {
    let field = match port.role {
        PortRole::Payload(_, field) | PortRole::Level(field) => field,
        _ => return None,
    };
    let names = matches!(field.quantity, Quantity::Flag | Quantity::Enum(_));
    (!names && !field.role.outlives_error()).then_some(field.quantity)
}

fn why_exact(port: &Port) -> &'static str {
    match port.role {
        PortRole::Valid(_) | PortRole::Ready(_) => "a beat is there or not",
        PortRole::Payload(_, field)
            if matches!(field.role, FieldRole::Context | FieldRole::Key) =>
        {
            "it names what the beat is about"
        }
        PortRole::Payload(_, field) | PortRole::Level(field) => match field.quantity {
            Quantity::Flag => "a flag has no distance",
            _ => "a name has no distance",
        },
        PortRole::Control(_) | PortRole::Cfg(_) => "it is an input",
    }
}

fn names(layout: &Layout) -> String {
    let with = layout.outputs.iter().filter(|port| quantity_of(port).is_some());
    with.map(|port| port.name.as_str()).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use congruent_ports::BLOCKS;

    fn refused(option: &str) -> String {
        let block = BLOCKS[0];
        let layout = Layout::new(block, &ParamSet::defaults(block));
        let refusal = add(&mut Rules::none(), &layout, &[option.to_string()]);
        let refusal = refusal.expect_err(option);
        format!("{refusal}; {}", refusal.help().unwrap_or(""))
    }

    #[test]
    fn amounts_are_lsb_or_of_the_fields_unit() {
        let block = BLOCKS[0];
        let layout = Layout::new(block, &ParamSet::defaults(block));
        let mut rules = Rules::none();
        let options = ["upd_rate=0.5Gbps", "upd.target=2 lsb", "rsp_wait=3cycles"];
        let options: Vec<_> = options.iter().map(|o| o.to_string()).collect();
        let _ = add(&mut rules, &layout, &options).map_err(|e| panic!("{e}: {:?}", e.help()));
        let of =
            |name| rules.get(word_of(&layout, name).expect("a word")).and_then(|r| r.tolerance);
        assert_eq!(of("upd_rate"), Some(Tolerance::Natural(0.5)));
        assert_eq!(of("upd_target"), Some(Tolerance::Lsb(2)));
        assert_eq!(of("rsp_wait"), Some(Tolerance::Natural(3.0)));
        // 400 Gbps in UQ1.24: 0.5 Gbps are 2^24 / 800 of its lowest bit, 20971.52.
        let unit = congruent_hw::unit::UNITS[0];
        let mut attributes = AttributeSet::defaults(block);
        attributes.set_text("data_rate", "400").expect("legal");
        let resolved = in_lsb(&rules, &layout, unit, &attributes);
        let word = word_of(&layout, "upd_rate").expect("a word");
        let lsb = resolved.get(word).and_then(|rule| rule.tolerance);
        assert_eq!(lsb, Some(Tolerance::Lsb(20_971)));
    }

    #[test]
    fn what_is_no_tolerance_is_refused_with_what_is_accepted() {
        for (option, why) in [
            ("upd_rate", "there is no `=`"),
            ("upd_speed=2lsb", "has no output `upd_speed`; accepted is rsp_wait,"),
            ("upd_valid=1lsb", "upd_valid is exact: a beat is there or not"),
            ("peek_ready=1lsb", "peek_ready is exact"),
            ("upd_qp=1lsb", "upd_qp is exact: it names what the beat is about"),
            ("upd_cause=1lsb", "upd_cause is exact: a name has no distance"),
            ("rsp_grant=1lsb", "rsp_grant is exact: a flag has no distance"),
            ("upd_rate=-2lsb", "`-2lsb` is negative"),
            ("upd_rate=1.5lsb", "is no whole number of LSB"),
            ("upd_rate=2", "`2` has no unit; accepted is an amount such as 2lsb or 0.5Gbps"),
            ("upd_rate=2bytes", "is in another unit than the field"),
            ("upd_rate=lots", "`lots` is no amount"),
        ] {
            let said = refused(option);
            assert!(said.contains(why), "{option}: {said}");
        }
    }
}
