//! Which signal of a module is likely to be which port of a table: by name, or by the widths of a
//! whole channel. A guess is for a person to look at.

use congruent_ports::{Layout, Port, PortDir, PortRole};
use congruent_verilate::{Module, PortDecl, Shape, Type};
use std::collections::{BTreeMap, BTreeSet};

/// A signal of the module: a port, or a member of a struct.
#[derive(Debug, Clone)]
pub(super) struct Signal {
    /// As a map names it.
    pub(super) name: String,
    /// The port that it is or lies in.
    pub(super) port: String,
    pub(super) dir: PortDir,
    pub(super) width: u32,
    words: Vec<String>,
    /// Whether it says the opposite of what its words stand for (`busy` for `ready`).
    inverted: bool,
}

/// Why a signal is taken for a port.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Why {
    /// Name, direction and width are the table's.
    Same,
    /// Direction and width are, and the name is alike.
    Name,
    /// The name is alike or the same, the width is not.
    OtherWidth(u32),
    /// Its channel has the widths of the table's, in the same order.
    Widths,
}

/// What is found for a port of the table.
#[derive(Debug, Clone)]
pub(super) struct Match {
    /// The expression for the map.
    pub(super) signal: String,
    pub(super) why: Why,
}

/// The clock of a module.
#[derive(Debug)]
pub(super) struct Clock {
    pub(super) port: String,
    pub(super) falling: bool,
}

/// The reset of a module.
#[derive(Debug)]
pub(super) struct Reset {
    pub(super) port: String,
    pub(super) active_low: bool,
    pub(super) synchronous: bool,
}

/// All guesses about a module.
#[derive(Debug)]
pub(super) struct Matches {
    /// By port of the table.
    pub(super) found: BTreeMap<String, Match>,
    pub(super) clock: Option<Clock>,
    pub(super) reset: Option<Reset>,
    /// Signals that are taken for nothing.
    pub(super) left: Vec<Signal>,
}

impl Matches {
    /// Guesses for a module and a table.
    pub(super) fn new(module: &Module, layout: &Layout) -> Self {
        let clock = clock(module);
        let reset = reset(module, clock.as_ref());
        let mut signals: Vec<Signal> = module.ports.iter().flat_map(signals_of).collect();
        signals.retain(|s| {
            clock.as_ref().is_none_or(|c| c.port != s.name)
                && reset.as_ref().is_none_or(|r| r.port != s.name)
        });
        let mut found = BTreeMap::new();
        let mut used = BTreeSet::new();
        by_name(layout, &signals, &mut found, &mut used);
        by_widths(layout, &signals, &mut found, &mut used);
        let mut left = signals;
        left.retain(|s| !used.contains(&s.name));
        Self { found, clock, reset, left }
    }

    /// Signals that could be a port by their direction and width, if they are few.
    pub(super) fn perhaps(&self, port: &Port) -> Vec<&str> {
        const FEW: usize = 3;
        let fits = |s: &&Signal| s.dir == port.dir && s.width == port.width;
        let all: Vec<&str> = self.left.iter().filter(fits).map(|s| s.name.as_str()).collect();
        if all.len() <= FEW { all } else { Vec::new() }
    }

    /// How many ports of the table are found, in a line.
    pub(super) fn summary(&self, layout: &Layout) -> String {
        let all = layout.ports().count();
        let count =
            |test: &dyn Fn(Why) -> bool| self.found.values().filter(|m| test(m.why)).count();
        let same = count(&|why| why == Why::Same);
        let alike = count(&|why| matches!(why, Why::Name | Why::Widths));
        format!(
            "Of the {all} ports of {}, {same} are called as in the table, {alike} are guessed and {} \
             are not found",
            layout.block.name,
            all - same - alike
        )
    }
}

/// Best matches first, each signal for one port.
fn by_name(
    layout: &Layout,
    signals: &[Signal],
    found: &mut BTreeMap<String, Match>,
    used: &mut BTreeSet<String>,
) {
    const ENOUGH: f64 = 0.7;
    const CERTAIN: f64 = 0.99;
    let mut all: Vec<(f64, &Port, &Signal)> = Vec::new();
    for port in layout.ports() {
        let words: Vec<_> = words(&port.name).iter().map(|w| meaning(w).0.to_string()).collect();
        for signal in signals.iter().filter(|s| s.dir == port.dir) {
            let same = signal.name == port.name;
            let score = if same { 2.0 } else { alike_port(&words, &signal.meanings()) };
            let fits = signal.width == port.width;
            if same || score >= CERTAIN || (fits && score >= ENOUGH) {
                all.push((score + f64::from(fits), port, signal));
            }
        }
    }
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    for (_, port, signal) in all {
        if found.contains_key(&port.name) || used.contains(&signal.name) {
            continue;
        }
        let why = match (signal.width == port.width, signal.name == port.name) {
            (true, true) => Why::Same,
            (true, false) => Why::Name,
            (false, _) => Why::OtherWidth(signal.width),
        };
        let is_ready = matches!(port.role, PortRole::Ready(_));
        if signal.inverted && !is_ready {
            continue;
        }
        let not = if signal.inverted { "!" } else { "" };
        found.insert(port.name.clone(), Match { signal: format!("{not}{}", signal.name), why });
        used.insert(signal.name.clone());
    }
}

/// A channel of which nothing is found, and the one group of signals that has its widths, where it
/// is the one such channel.
fn by_widths(
    layout: &Layout,
    signals: &[Signal],
    found: &mut BTreeMap<String, Match>,
    used: &mut BTreeSet<String>,
) {
    let mut groups: BTreeMap<(String, bool), Vec<&Signal>> = BTreeMap::new();
    for signal in signals.iter().filter(|s| !used.contains(&s.name)) {
        let group = signal.words.first().cloned().unwrap_or_default();
        groups.entry((group, signal.dir == PortDir::In)).or_default().push(signal);
    }
    let slices = [
        (&layout.channels_in, &layout.inputs, true),
        (&layout.channels_out, &layout.outputs, false),
    ];
    for (channels, slice, input) in slices {
        let open: Vec<&[Port]> = channels
            .iter()
            .map(|c| &slice[c.valid..=c.valid + c.channel.fields.len()])
            .filter(|ports| ports.iter().all(|p| !found.contains_key(&p.name)))
            .collect();
        for ports in &open {
            let same =
                |other: &&&[Port]| other.iter().map(|p| p.width).eq(ports.iter().map(|p| p.width));
            let mut alike = groups.iter().filter(|((_, dir), group)| {
                *dir == input && group.iter().map(|s| s.width).eq(ports.iter().map(|p| p.width))
            });
            let (Some((_, group)), None, 1) =
                (alike.next(), alike.next(), open.iter().filter(same).count())
            else {
                continue;
            };
            for (port, signal) in ports.iter().zip(group) {
                let signal = signal.name.clone();
                used.insert(signal.clone());
                found.insert(port.name.clone(), Match { signal, why: Why::Widths });
            }
        }
    }
}

impl Signal {
    fn meanings(&self) -> Vec<String> {
        self.words.iter().map(|w| meaning(w).0.to_string()).collect()
    }
}

/// The same for a port of the table, whose first word may say what kind of port it is.
fn alike_port(words: &[String], signal: &[String]) -> f64 {
    const WITHOUT_KIND: f64 = 0.95;
    let whole = alike(words, signal);
    match words.split_first() {
        Some((kind, rest)) if !rest.is_empty() && ["cfg", "stat"].contains(&kind.as_str()) => {
            whole.max(WITHOUT_KIND * alike(rest, signal))
        }
        _ => whole,
    }
}

/// How alike two lists of words are: 1 where they are the same, whatever their order.
fn alike(a: &[String], b: &[String]) -> f64 {
    let mut left: Vec<&String> = b.iter().collect();
    let mut common = 0.0;
    for word in a {
        let near = |other: &&String| {
            let short = word.len().min(other.len());
            **other == *word
                || (short >= 3
                    && (other.starts_with(word.as_str()) || word.starts_with(other.as_str())))
        };
        if let Some(at) = left.iter().position(near) {
            common += if left[at] == word { 1.0 } else { 0.8 };
            left.remove(at);
        }
    }
    2.0 * common / (a.len() + b.len()).max(1) as f64
}

/// Signals of a port: the port itself, or the members of its struct.
fn signals_of(port: &PortDecl) -> Vec<Signal> {
    let mut all = Vec::new();
    if port.ty.unpacked.is_empty() {
        let words = without_direction(words(&port.name), port.dir);
        leaves(port, &written(&port.name), &words, &port.ty, &mut all);
    }
    all
}

fn leaves(port: &PortDecl, name: &str, words_so_far: &[String], ty: &Type, all: &mut Vec<Signal>) {
    if let Shape::Struct { members, .. } = &ty.shape {
        for member in members {
            let name = format!("{name}.{}", member.name);
            let all_words: Vec<_> =
                words_so_far.iter().cloned().chain(words(&member.name)).collect();
            leaves(port, &name, &all_words, &member.ty, all);
        }
        return;
    }
    all.push(Signal {
        name: name.to_string(),
        port: port.name.clone(),
        dir: port.dir,
        width: ty.width,
        inverted: words_so_far.iter().any(|w| meaning(w).1),
        words: words_so_far.to_vec(),
    });
}

/// A name as a map writes it: escaped where it must be.
pub(super) fn written(name: &str) -> String {
    let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$');
    if plain { name.to_string() } else { format!("\\{name} ") }
}

/// The words of a name: `cnpValid_i` is `cnp`, `valid`, `i`.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut lower = false;
    for c in name.chars() {
        let ends = !c.is_ascii_alphanumeric();
        if ends || (lower && c.is_ascii_uppercase()) {
            words.push(String::new());
        }
        lower = c.is_ascii_lowercase();
        if !ends && let Some(word) = words.last_mut() {
            word.push(c.to_ascii_lowercase());
        }
    }
    words.retain(|w| !w.is_empty());
    words
}

/// Leaves out a first or last word that only says the direction, or that it is a parameter.
fn without_direction(mut words: Vec<String>, dir: PortDir) -> Vec<String> {
    let says: &[&str] = match dir {
        PortDir::In => &["i", "in", "input", "p", "ni"],
        PortDir::Out => &["o", "out", "output", "no"],
    };
    if words.len() > 1 && words.last().is_some_and(|w| says.contains(&w.as_str())) {
        words.pop();
    }
    if words.len() > 1 && says.contains(&words[0].as_str()) {
        let config = words[0] == "p";
        words.remove(0);
        if config {
            words.insert(0, "cfg".into());
        }
    }
    words
}

/// Words that mean the same, and whether one means the opposite.
fn meaning(word: &str) -> (&str, bool) {
    const SAME: &[&[&str]] = &[
        &["valid", "vld", "val", "v"],
        &["ready", "rdy"],
        &["error", "err", "status"],
        &["qp", "qpn", "queue"],
        &["bytes", "len", "length", "size"],
        &["cfg", "config", "conf"],
        &["count", "cnt"],
        &["rsp", "resp", "response", "ans", "answer"],
        &["req", "request", "ask"],
        &["upd", "update"],
        &["peek", "peeked", "dbg", "debug"],
        &["grant", "gnt", "go"],
        &["index", "idx"],
        &["address", "addr"],
        &["previous", "prev"],
        &["estimate", "est", "alpha"],
        &["packets", "packet", "pkts", "pkt"],
        &["deadline", "due"],
        &["delay", "wait"],
        &["period", "cycles", "interval"],
    ];
    const OPPOSITE: &[(&str, &str)] = &[("busy", "ready"), ("stall", "ready"), ("full", "ready")];
    if let Some((_, same)) = OPPOSITE.iter().find(|(w, _)| *w == word) {
        return (same, true);
    }
    let group = SAME.iter().find(|group| group.contains(&word));
    (group.map_or(word, |group| group[0]), false)
}

fn is_one_bit(port: &&PortDecl) -> bool {
    port.dir == PortDir::In && port.ty.total() == 1
}

/// The port whose edge is waited for, one that is called like a clock before others; without any,
/// one that is called so.
fn clock(module: &Module) -> Option<Clock> {
    let is_clock = |name: &str| {
        words(name).iter().any(|w| w.contains("clk") || w.contains("clock") || w == "ck")
    };
    let edges = || module.edges.iter().filter(|e| e.direct && !e.reset);
    let edge = edges().find(|e| is_clock(&e.ports[0])).or_else(|| edges().next());
    if let Some(edge) = edge {
        let port = edge.ports[0].clone();
        let rises = edges().any(|e| e.ports[0] == port && e.rising);
        return Some(Clock { port, falling: !rises });
    }
    let port = module.ports.iter().filter(is_one_bit).find(|p| is_clock(&p.name))?;
    Some(Clock { port: port.name.clone(), falling: false })
}

/// The asynchronous reset; without one, an input that is called so.
fn reset(module: &Module, clock: Option<&Clock>) -> Option<Reset> {
    if let Some(edge) = module.edges.iter().find(|e| e.direct && e.reset) {
        let port = edge.ports[0].clone();
        return Some(Reset { port, active_low: !edge.rising, synchronous: false });
    }
    let is_reset = |name: &str| {
        words(name).iter().any(|w| w.contains("rst") || w.contains("reset") || w.contains("clear"))
    };
    let mut ports = module.ports.iter().filter(is_one_bit);
    let port = ports.find(|p| is_reset(&p.name) && clock.is_none_or(|c| c.port != p.name))?;
    let words = words(&port.name);
    let last = words.last().map_or("", String::as_str);
    let low = ["n", "ni", "b", "l", "bar"].contains(&last)
        || words
            .iter()
            .any(|w| ["nrst", "nreset", "rstn", "resetn", "aresetn"].contains(&w.as_str()));
    Some(Reset { port: port.name.clone(), active_low: low, synchronous: true })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str, dir: PortDir) -> String {
        without_direction(words(name), dir).join(" ")
    }

    #[test]
    fn names_come_apart() {
        assert_eq!(of("cnp_valid_i", PortDir::In), "cnp valid");
        assert_eq!(of("i_cnpValid", PortDir::In), "cnp valid");
        assert_eq!(of("p_min_rate", PortDir::In), "cfg min rate");
        assert_eq!(of("o_dbg_rdy", PortDir::Out), "dbg rdy");
        assert_eq!(of("in", PortDir::In), "in");
    }

    #[test]
    fn names_are_alike_by_their_words() {
        let alike = |a: &str, b: &str| {
            let meanings = |name: &str| -> Vec<String> {
                words(name).iter().map(|w| meaning(w).0.to_string()).collect()
            };
            alike(&meanings(a), &meanings(b))
        };
        assert_eq!(alike("cnp_valid", "vld_cnp"), 1.0);
        assert_eq!(alike("peeked_error", "dbg_err"), 1.0);
        assert!(alike("rsp_delay", "cnp_delay") < 0.7);
        assert!(alike("upd_rate", "update_rates") >= 0.7);
    }
}
