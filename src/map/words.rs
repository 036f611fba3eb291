//! What each port of the table is in the module: pieces of its ports, of the right width and direction.

use super::expression::{self, Chunk, Chunks, Expression, ones};
use super::fit::{Drive, Entry, Fitting, Slice};
use super::parse::{Format, PortEntry, Related};
use super::perhaps;
use crate::tolerance;
use congruent_hw::rules::{self, Relation};
use congruent_ports::{Port, PortDir, PortRole, Quantity};
use congruent_verilate::{End, Module, Piece, Pin, Wire};

impl Fitting<'_> {
    /// The bits of an expression, which must be ports of this direction.
    pub(super) fn bits(
        &mut self,
        table: &str,
        text: &str,
        line: Option<usize>,
        dir: PortDir,
        unsized_width: Option<u32>,
    ) -> Option<Chunks> {
        let found = parse_and_resolve(text, self.module, unsized_width);
        let chunks = match found {
            Ok(chunks) => chunks,
            Err(why) => {
                self.faults.add(line, format!("{table} = \"{text}\": {why}"));
                return None;
            }
        };
        for chunk in &chunks {
            let End::Pin { pin, .. } = &chunk.end else { continue };
            let port = self.module.port(&pin.port);
            if let Some(port) = port.filter(|port| port.dir != dir) {
                self.faults.add(
                    line,
                    format!(
                        "{table} is an {} of the table, and `{}` is an {} of the module ({})",
                        name_of(dir),
                        port.name,
                        name_of(port.dir),
                        port.place
                    ),
                );
                return None;
            }
        }
        Some(chunks)
    }

    /// Whether a port of the table is neither in the map nor in the module.
    fn is_missing(&mut self, port: &Port, entry: &Entry) -> bool {
        let missing = entry.line.is_none() && self.module.port(&port.name).is_none();
        if missing {
            self.missing.push(port.clone());
        }
        missing
    }

    /// Says what is missing: a line a port, and one for a channel of which nothing is there.
    pub(super) fn say_missing(&mut self) {
        let missing = std::mem::take(&mut self.missing);
        let channel = |port: &Port| match port.role {
            PortRole::Valid(c) | PortRole::Ready(c) | PortRole::Payload(c, _) => Some(c.name),
            _ => None,
        };
        let mut told = vec![];
        for port in &missing {
            let of = |ports: &mut dyn Iterator<Item = &Port>| {
                ports.filter(|p| channel(p) == channel(port)).count()
            };
            let whole = of(&mut missing.iter()) == of(&mut self.layout.ports());
            let text = match channel(port) {
                Some(name) if told.contains(&name) => continue,
                Some(name) if whole => {
                    told.push(name);
                    let own = missing.iter().filter(|p| channel(p) == Some(name));
                    let own: Vec<_> = own.map(|p| format!("{} [{}]", p.name, p.width)).collect();
                    format!(
                        "channel `{name}` of the table is not in the map, and the module has no ports \
                         of these names: map {}, or say {name} = \"ignore\"",
                        own.join(", ")
                    )
                }
                _ => {
                    let names = self.module.ports.iter().map(|p| p.name.as_str());
                    let near = perhaps(&port.name, names);
                    format!(
                        "{} `{}` of the table, {}, is not in the map, and the module has no port \
                         of that name{near}: map it, or say {} = \"ignore\"",
                        name_of(port.dir),
                        port.name,
                        bits(port.width),
                        port.name
                    )
                }
            };
            self.faults.add(None, text);
        }
    }

    pub(super) fn input(&mut self, slice: Slice, word: usize, port: &Port, entry: &Entry) {
        if self.is_missing(port, entry) {
            return;
        }
        let line = entry.line;
        let (signals, related) = match &entry.entry {
            PortEntry::Ignore => {
                self.wires.insert(port.name.clone(), Wire::Pieces(vec![]));
                return;
            }
            PortEntry::Signals(signals) => (signals.clone(), None),
            PortEntry::Related(related) => (vec![related.signal.clone()], Some(related)),
        };
        self.refuse_relation(port, related, line);
        if related.is_some_and(|r| r.tolerance.is_some()) {
            self.faults.add(
                line,
                format!("{}: a tolerance is for outputs, and this is an input", port.name),
            );
        }
        let format = related.and_then(|r| r.format.clone());
        let mut pieces = vec![];
        let mut drive = Drive {
            slice,
            word,
            port: port.name.clone(),
            width: port.width,
            relation: None,
            saturate: format.as_ref().is_some_and(|f| f.saturate == Some(true)),
            fixed: (0, 0),
        };
        for text in &signals {
            let Some(chunks) = self.bits(&port.name, text, line, PortDir::In, Some(port.width))
            else {
                continue;
            };
            let width = expression::width(&chunks);
            if !self.input_fits(port, text, line, width, format.is_some()) {
                continue;
            }
            if let Some(format) = &format {
                drive.width = width as u32;
                drive.relation = self.relation(port, format, &chunks, line);
            }
            let mut at = 0;
            for chunk in chunks {
                match &chunk.end {
                    End::Constant(value) => {
                        let (mask, must) = &mut drive.fixed;
                        *mask |= ones(chunk.count) << at;
                        *must |= value << at;
                    }
                    End::Pin { pin, .. } => {
                        self.pins.drive(pin, chunk.count, line, port.name.clone());
                    }
                }
                // Above our own bits a wider port of theirs is driven with zeros.
                let own = drive.width.saturating_sub(at).min(chunk.count);
                if let (1.., End::Pin { .. }) = (own, &chunk.end) {
                    let end = chunk.end.clone();
                    pieces.push(Piece { at, count: own, end });
                }
                if let End::Pin { pin, inverted: true } = &chunk.end
                    && own < chunk.count
                {
                    let pin = Pin { lsb: pin.lsb + own, ..pin.clone() };
                    self.hold(&pin, chunk.count - own, |_| true);
                }
                at += chunk.count;
            }
        }
        if drive.relation.is_some() || drive.fixed.0 != 0 {
            self.drives.push(drive);
        }
        self.named(port, &signals);
        self.wires.insert(port.name.clone(), Wire::Pieces(pieces));
        self.simplify(port);
    }

    /// Whether what an input is driven into is wide enough.
    fn input_fits(
        &mut self,
        port: &Port,
        text: &str,
        line: Option<usize>,
        width: u64,
        has_format: bool,
    ) -> bool {
        let one = is_flag(port);
        let why = if one && width != 1 {
            "accepted is one bit".to_string()
        } else if has_format && width > 64 {
            "a number of more than 64 bits cannot be made of ours; name a part of it".to_string()
        } else if !has_format && width < u64::from(port.width) {
            format!(
                "our upper bits have no place there; build both with other parameters (--param), say \
                 that they are 0 as {{{}'d0, {text}}}, or name the format with `scale`",
                u64::from(port.width) - width
            )
        } else {
            return true;
        };
        self.faults.add(
            line,
            format!("{}, {}, = \"{text}\", {}: {why}", port.name, bits(port.width), bits(width)),
        );
        false
    }

    pub(super) fn output(&mut self, word: usize, port: &Port, entry: &Entry) {
        if self.is_missing(port, entry) {
            return;
        }
        let line = entry.line;
        let (text, related) = match &entry.entry {
            PortEntry::Ignore => {
                self.ignore_output(port);
                self.rules.at(word).ignored = true;
                return;
            }
            PortEntry::Signals(signals) => {
                if signals.len() > 1 {
                    let text =
                        format!("{}: an output is one signal, not {}", port.name, signals.len());
                    self.faults.add(line, text);
                }
                (signals.first().cloned().unwrap_or_default(), None)
            }
            PortEntry::Related(related) => (related.signal.clone(), Some(related)),
        };
        self.refuse_relation(port, related, line);
        let Some(chunks) = self.bits(&port.name, &text, line, PortDir::Out, Some(port.width))
        else {
            return;
        };
        let width = expression::width(&chunks);
        let has_format = related.is_some_and(|r| r.format.is_some());
        let why = if is_flag(port) && width != 1 {
            Some("accepted is one bit".to_string())
        } else if width > 64 {
            Some("more than 64 bits cannot be compared with it; name a part of it".to_string())
        } else if !has_format && width < u64::from(port.width) {
            Some(format!(
                "it is too narrow; build both with other parameters (--param), say that the others are \
                 0 as {{{}'d0, {text}}}, or name the format with `scale`",
                u64::from(port.width) - width
            ))
        } else {
            None
        };
        if let Some(why) = why {
            let text = format!(
                "{}, {}, = \"{text}\", {}: {why}",
                port.name,
                bits(port.width),
                bits(width)
            );
            self.faults.add(line, text);
            return;
        }
        if let Some(related) = related {
            if let Some(format) = &related.format {
                self.rules.at(word).relation = self.relation(port, format, &chunks, line);
            }
            if let Some(text) = &related.tolerance {
                match tolerance::parse(port, &self.layout.params, text) {
                    Ok(tolerance) => self.rules.at(word).tolerance = Some(tolerance),
                    Err(refusal) => self.faults.add(
                        line,
                        format!(
                            "{}: the tolerance `{text}`: {}; accepted is {}",
                            port.name, refusal.why, refusal.accepted
                        ),
                    ),
                }
            }
        }
        let mut at = 0;
        let pieces = chunks.into_iter().map(|chunk| {
            let piece = Piece { at, count: chunk.count, end: chunk.end };
            at += chunk.count;
            piece
        });
        let wire = Wire::Pieces(pieces.collect());
        self.wires.insert(port.name.clone(), wire);
        self.named(port, &[text]);
        self.simplify(port);
    }

    /// An output that is not compared. A ready says that beats are taken, `init_done` that the
    /// module is ready: nobody can wait for them.
    fn ignore_output(&mut self, port: &Port) {
        let always = match port.role {
            PortRole::Ready(_) => true,
            PortRole::Level(_) => port.name == "init_done",
            _ => false,
        };
        let value = if always { ones(port.width) } else { 0 };
        let piece = Piece { at: 0, count: port.width, end: End::Constant(value) };
        self.wires.insert(port.name.clone(), Wire::Pieces(vec![piece]));
    }

    /// A wire that is nothing but a whole port of the table's width is said to be one.
    fn simplify(&mut self, port: &Port) {
        let Some(Wire::Pieces(pieces)) = self.wires.get(&port.name) else { return };
        let [Piece { at: 0, count, end: End::Pin { pin, inverted: false } }] = pieces.as_slice()
        else {
            return;
        };
        let whole = pin.lsb == 0 && pin.element.is_empty() && pin.width == port.width;
        if whole && *count == port.width {
            let wire = Wire::Port(pin.port.clone());
            self.wires.insert(port.name.clone(), wire);
        }
    }

    fn named(&mut self, port: &Port, signals: &[String]) {
        if signals != [port.name.as_str()] {
            self.names.insert(port.name.clone(), signals.join(", "));
        }
    }

    /// How their number is made of ours.
    fn relation(
        &mut self,
        port: &Port,
        format: &Format,
        chunks: &Chunks,
        line: Option<usize>,
    ) -> Option<Relation> {
        let signed = matches!(chunks.as_slice(), [Chunk { signed: true, .. }]);
        let theirs = rules::Format { width: expression::width(chunks) as u32, signed };
        match Relation::new(format.scale, format.offset, format.round, theirs) {
            Ok(relation) => Some(relation),
            Err(why) => {
                self.faults.add(line, format!("{}: {why}", port.name));
                None
            }
        }
    }

    /// Only numbers have another format.
    fn refuse_relation(&mut self, port: &Port, related: Option<&Related>, line: Option<usize>) {
        let Some(format) = related.and_then(|related| related.format.as_ref()) else { return };
        let field = match port.role {
            PortRole::Payload(_, field) | PortRole::Level(field) | PortRole::Cfg(field) => {
                Some(field)
            }
            PortRole::Control(control) => Some(&control.field),
            PortRole::Valid(_) | PortRole::Ready(_) => None,
        };
        let is_number = field.is_some_and(|field| {
            !matches!(field.quantity, Quantity::Flag | Quantity::Enum(_))
                && !field.role.outlives_error()
        });
        if !is_number {
            self.faults.add(
                line,
                format!("{}: only a number has another format, by scale and offset", port.name),
            );
        }
        if format.saturate.is_some() && port.dir == PortDir::Out {
            self.faults.add(
                line,
                format!(
                    "{}: `saturate` is for inputs; ours in the format of an output is always kept \
                     within it",
                    port.name
                ),
            );
        }
    }
}

fn parse_and_resolve(
    text: &str,
    module: &Module,
    unsized_width: Option<u32>,
) -> Result<Chunks, String> {
    let expression = match module.port(text) {
        // A name that would have to be escaped in an expression needs not where it stands alone.
        Some(_) => Expression::Signal { port: text.to_string(), picks: vec![] },
        None => expression::parse(text)?,
    };
    expression::resolve(&expression, module, unsized_width)
}

/// A valid or a ready of one bit: each value of it means something.
fn is_flag(port: &Port) -> bool {
    match port.role {
        PortRole::Valid(_) => true,
        PortRole::Ready(_) => port.width == 1,
        _ => port.name == "init_done",
    }
}

/// So many bits, for people.
pub(super) fn bits(count: impl Into<u64>) -> String {
    match count.into() {
        1 => "1 bit".to_string(),
        count => format!("{count} bits"),
    }
}

/// A direction, for people.
pub(super) fn name_of(dir: PortDir) -> &'static str {
    match dir {
        PortDir::In => "input",
        PortDir::Out => "output",
    }
}
