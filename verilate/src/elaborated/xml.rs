//! Reads the tree that Verilator 5.006 to 5.038 write as XML (`--xml-only`).
//!
//! It leaves out what the sources still say: whether a struct is packed or signed, and that a port
//! or member is of an enumeration. Both are found by where they are written.

use super::tree::{Cell, Dir, Raw, Signal, Source, Tree, Unit, Var, Wait, constant};
use super::types::{Place, Range};
use roxmltree::{Document, Node, ParsingOptions};
use std::cell::RefCell;
use std::collections::HashMap;
use std::path::PathBuf;

/// Reads a tree; `shown` says how a path is shown.
///
/// # Errors
/// Text that is not such a tree.
pub(super) fn read(tree: &str, shown: &dyn Fn(&str) -> PathBuf) -> Result<Tree, String> {
    let options = ParsingOptions { nodes_limit: u32::MAX, ..ParsingOptions::default() };
    let document = Document::parse_with_options(tree, options).map_err(|e| e.to_string())?;
    let root = document.root_element();
    let child = |name: &str| root.children().find(|n| n.has_tag_name(name));
    let files = child("files").ok_or("the list of files is missing")?;
    let netlist = child("netlist").ok_or("the netlist is missing")?;
    let files = files.children().filter(|n| n.has_tag_name("file"));
    // A list of instances for each top.
    let cells = root.children().filter(|n| n.has_tag_name("cells"));
    let table = netlist.children().find(|n| n.has_tag_name("typetable"));
    let reader = Reader {
        files: files.map(|f| (text(f, "id"), PathBuf::from(text(f, "filename")))).collect(),
        shown,
        tops: cells.flat_map(|c| c.children()).map(|c| text(c, "submodname")).collect(),
        names: Names::of(netlist),
        sources: RefCell::default(),
    };
    let mut out = Tree::default();
    for unit in netlist.children().filter(|n| matches!(n.tag_name().name(), "module" | "iface")) {
        let unit = reader.unit(unit);
        out.units.push(unit);
    }
    for entry in table.iter().flat_map(|t| t.children()).filter(Node::is_element) {
        let raw = reader.ty(entry);
        out.types.insert(text(entry, "id").to_string(), raw);
    }
    Ok(out)
}

fn text<'a>(node: Node<'a, '_>, name: &str) -> &'a str {
    node.attribute(name).unwrap_or_default()
}

/// File, line and column where a node starts, line and column where it ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Loc<'a> {
    file: &'a str,
    line: u32,
    column: u32,
    end: (u32, u32),
}

fn loc<'a>(node: Node<'a, '_>) -> Option<Loc<'a>> {
    let mut parts = text(node, "loc").split(',');
    let file = parts.next()?;
    let mut number = || parts.next()?.parse().ok();
    Some(Loc { file, line: number()?, column: number()?, end: (number()?, number()?) })
}

/// Uses of named types and enumerations, and what could stand between one and its holder.
struct Names<'a> {
    /// Where one stands, the type it stands for, its own name.
    uses: Vec<(Loc<'a>, &'a str, &'a str)>,
    /// Enumerations: key, name, key of the type they are stored in.
    enums: Vec<(&'a str, &'a str, &'a str)>,
    holders: Vec<Loc<'a>>,
}

impl<'a> Names<'a> {
    fn of(netlist: Node<'a, '_>) -> Self {
        let mut names = Self { uses: Vec::new(), enums: Vec::new(), holders: Vec::new() };
        for node in netlist.descendants() {
            let Some(loc) = loc(node) else { continue };
            match node.tag_name().name() {
                "refdtype" => {
                    names.uses.push((loc, text(node, "sub_dtype_id"), text(node, "name")))
                }
                "enumdtype" => {
                    let (name, base) = (text(node, "name"), text(node, "sub_dtype_id"));
                    names.uses.push((loc, base, name));
                    names.enums.push((text(node, "id"), name, base));
                }
                "var" | "memberdtype" => names.holders.push(loc),
                _ => {}
            }
        }
        names
    }

    /// The enumeration with this name, in any package or module, that is stored in this type.
    fn named(&self, name: &str, base: &str) -> Option<&'a str> {
        let last = |full: &'a str| full.rsplit([':', '.']).next().unwrap_or(full);
        let found = self
            .enums
            .iter()
            .find(|(_, full, b)| *b == base && (*full == name || last(full) == name));
        found.map(|(key, ..)| *key)
    }

    /// The enumeration whose name stands before a place on the same line, with no more than so many
    /// holders between, and that is stored in this type.
    fn before(&self, at: Loc<'_>, base: &str, between: usize) -> Option<&'a str> {
        let same_line =
            |l: &Loc<'_>| l.file == at.file && l.end.0 == at.line && l.end.1 <= at.column;
        let uses = self.uses.iter().filter(|(l, b, _)| same_line(l) && *b == base);
        let (loc, _, name) = uses.max_by_key(|(l, ..)| l.end.1)?;
        let holders = self.holders.iter().filter(|h| same_line(h) && h.column > loc.column);
        if holders.count() > between { None } else { self.named(name, base) }
    }
}

struct Reader<'a> {
    files: HashMap<&'a str, PathBuf>,
    shown: &'a dyn Fn(&str) -> PathBuf,
    tops: Vec<&'a str>,
    names: Names<'a>,
    sources: RefCell<HashMap<PathBuf, String>>,
}

impl Reader<'_> {
    fn place(&self, node: Node<'_, '_>) -> Place {
        let loc = loc(node);
        let file = loc.and_then(|l| self.files.get(l.file));
        let file = file.map_or_else(PathBuf::new, |f| (self.shown)(&f.to_string_lossy()));
        Place { file, line: loc.map_or(0, |l| l.line) }
    }

    /// What the source says from the start of a node on, up to the next brace.
    fn written(&self, node: Node<'_, '_>) -> Option<String> {
        let loc = loc(node)?;
        let path = self.files.get(loc.file)?;
        let mut sources = self.sources.borrow_mut();
        let source = sources.entry(path.clone()).or_insert_with(|| {
            let bytes = std::fs::read(path).unwrap_or_default();
            String::from_utf8_lossy(&bytes).into_owned()
        });
        let skip = |line: &str| line.chars().skip(loc.column.saturating_sub(1) as usize).collect();
        let mut lines = source.lines().skip(loc.line.checked_sub(1)? as usize);
        let mut found: String = skip(lines.next()?);
        while !found.contains('{') {
            found.push(' ');
            found += lines.next()?;
        }
        found.split('{').next().map(str::to_string)
    }

    fn unit(&self, node: Node<'_, '_>) -> Unit {
        let name = text(node, "name");
        let mut unit = Unit {
            key: name.into(),
            name: name.into(),
            place: self.place(node),
            top: self.tops.contains(&name),
            interface: node.has_tag_name("iface"),
            vars: Vec::new(),
            cells: Vec::new(),
            drives: HashMap::new(),
            waits: Vec::new(),
            modports: Vec::new(),
        };
        let mut pins = Vec::new();
        for child in node.children() {
            self.walk(child, false, &mut unit, &mut pins);
        }
        // Ports in the order of the list; everything else stays behind them.
        let mut ordered: Vec<_> = pins.into_iter().zip(unit.vars).collect();
        ordered.sort_by_key(|(pin, _)| pin.unwrap_or(u32::MAX));
        unit.vars = ordered.into_iter().map(|(_, var)| var).collect();
        unit
    }

    fn walk(
        &self,
        node: Node<'_, '_>,
        clocked: bool,
        unit: &mut Unit,
        pins: &mut Vec<Option<u32>>,
    ) {
        let kind = node.tag_name().name();
        match kind {
            "var" => {
                pins.push(text(node, "pinIndex").parse().ok());
                unit.vars.push(self.var(node));
            }
            "instance" => unit.cells.push(cell(node)),
            // Their arguments are no ports.
            "func" | "task" => {}
            "modport" => {
                let vars = node.children().filter(|n| n.has_tag_name("modportvarref"));
                let of = |var: Node<'_, '_>| direction(var, "direction").unwrap_or(Dir::Inout);
                let vars = vars.map(|v| (text(v, "name").to_string(), of(v)));
                unit.modports.push((text(node, "name").into(), vars.collect()));
            }
            _ => {
                let waits = self.waits(node);
                let clocked = clocked || !waits.is_empty();
                unit.waits.extend(waits);
                let assigns = matches!(kind, "assign" | "contassign" | "assignalias");
                if assigns && !clocked {
                    let parts: Vec<_> = node.children().filter(Node::is_element).collect();
                    if let Some((left, right)) = parts.split_last() {
                        let source = source(right);
                        for signal in signals(&[*left]).into_iter().filter(|s| s.dotted.is_empty())
                        {
                            unit.drives.entry(signal.key).or_default().push(source.clone());
                        }
                    }
                }
                for child in node.children() {
                    self.walk(child, clocked, unit, pins);
                }
            }
        }
    }

    fn var(&self, node: Node<'_, '_>) -> Var {
        let constant = node.children().find(|n| n.has_tag_name("const"));
        let param = text(node, "param") == "true";
        let name = text(node, "name");
        let ty = text(node, "dtype_id");
        let named = self.names.named(text(node, "vartype"), ty).map(str::to_string);
        Var {
            key: name.into(),
            name: name.trim_end_matches("__Viftop").into(),
            place: self.place(node),
            dir: direction(node, "dir"),
            ty: named.unwrap_or_else(|| self.holds(node, ty, 0)),
            param: param.then(|| constant.map_or("", |c| text(c, "name")).to_string()),
        }
    }

    /// The type that something holds: the enumeration that is written before it, if one is.
    fn holds(&self, node: Node<'_, '_>, ty: &str, between: usize) -> String {
        let found = loc(node).and_then(|at| self.names.before(at, ty, between));
        found.unwrap_or(ty).to_string()
    }

    fn waits(&self, node: Node<'_, '_>) -> Vec<Wait> {
        let Some(tree) = node.children().find(|n| n.has_tag_name("sentree")) else {
            return Vec::new();
        };
        let edges: Vec<_> = tree
            .children()
            .filter(|n| matches!(text(*n, "edgeType"), "POS" | "NEG" | "BOTH"))
            .collect();
        let several = edges.len() > 1;
        let body: Vec<_> =
            node.children().filter(|n| n.is_element() && !n.has_tag_name("sentree")).collect();
        let asked = if several { signals(&body) } else { Vec::new() };
        let mut waits = Vec::new();
        for item in edges {
            let inside: Vec<_> = item.children().filter(Node::is_element).collect();
            let source = source(&inside);
            let reset = source.signals.iter().any(|s| asked.iter().any(|a| a.key == s.key));
            let rising: &[bool] = match text(item, "edgeType") {
                "POS" => &[true],
                "NEG" => &[false],
                _ => &[true, false],
            };
            waits.extend(rising.iter().map(|rising| Wait {
                source: source.clone(),
                rising: *rising,
                reset,
                place: self.place(item),
            }));
        }
        waits
    }

    fn ty(&self, node: Node<'_, '_>) -> Raw {
        let kind = node.tag_name().name();
        let name = text(node, "name").to_string();
        let sub = text(node, "sub_dtype_id");
        let other = |what: &str| Raw::Other(what.to_string());
        match kind {
            "basicdtype" => match name.as_str() {
                "bit" | "logic" | "byte" | "shortint" | "int" | "longint" | "integer" | "time"
                | "logic_implicit" => {
                    let bound = |name| text(node, name).parse().ok();
                    let range = match (bound("left"), bound("right")) {
                        (Some(left), Some(right)) => Some(Range { left, right }),
                        _ => None,
                    };
                    Raw::Bits { range, signed: text(node, "signed") == "true" }
                }
                _ => Raw::Other(format!("of type {name}")),
            },
            "refdtype" | "paramtypedtype" | "constdtype" | "memberdtype" => Raw::Same(sub.into()),
            "packarraydtype" | "unpackarraydtype" => {
                // Unpacked dimensions stand after the name of what has them.
                let element = self.holds(node, sub, usize::from(kind == "unpackarraydtype"));
                match (bounds(node), kind) {
                    (Some(range), "packarraydtype") => Raw::Packed(range, element),
                    (Some(range), _) => Raw::Unpacked(range, element),
                    (None, _) => other("an array without a range"),
                }
            }
            "structdtype" | "uniondtype" => {
                let written = self.written(node);
                let words: Option<Vec<_>> =
                    written.as_ref().map(|w| w.split(|c: char| !c.is_alphanumeric()).collect());
                let union = kind == "uniondtype";
                if words.as_ref().is_some_and(|w| !w.contains(&"packed")) {
                    return other(if union { "an unpacked union" } else { "an unpacked struct" });
                }
                let members = node.children().filter(|n| n.has_tag_name("memberdtype"));
                let mut member = |m: Node<'_, '_>| {
                    let ty = self.holds(m, text(m, "sub_dtype_id"), 0);
                    (text(m, "name").to_string(), ty)
                };
                let members = members.map(&mut member).collect();
                let signed = words.is_some_and(|w| w.contains(&"signed"));
                Raw::Struct { name, signed, union, members }
            }
            "enumdtype" => {
                let items = node.children().filter(|n| n.has_tag_name("enumitem"));
                let item = |i: Node<'_, '_>| {
                    let value = i.children().find(|n| n.has_tag_name("const"));
                    let value = value.map_or("", |v| text(v, "name"));
                    (text(i, "name").to_string(), value.to_string())
                };
                Raw::Enum { name, base: sub.into(), names: items.map(item).collect() }
            }
            "ifacerefdtype" => other("an interface"),
            "dynarraydtype" => other("a dynamic array"),
            "queuedtype" => other("a queue"),
            "assocarraydtype" | "wildcardarraydtype" => other("an associative array"),
            "classrefdtype" => other("a class"),
            _ => other(&format!("of a type that is not made of bits ({kind})")),
        }
    }
}

fn direction(node: Node<'_, '_>, name: &str) -> Option<Dir> {
    match text(node, name) {
        "input" | "in" => Some(Dir::In),
        "output" | "out" => Some(Dir::Out),
        "inout" | "ref" | "const ref" => Some(Dir::Inout),
        _ => None,
    }
}

fn bounds(node: Node<'_, '_>) -> Option<Range> {
    let range = node.children().find(|n| n.has_tag_name("range"))?;
    let mut bounds = range.children().filter(|n| n.has_tag_name("const"));
    let mut bound = || i64::try_from(constant(text(bounds.next()?, "name"))?).ok();
    Some(Range { left: bound()?, right: bound()? })
}

fn cell(node: Node<'_, '_>) -> Cell {
    let pin = |pin: Node<'_, '_>| {
        let inside: Vec<_> = pin.children().filter(Node::is_element).collect();
        (text(pin, "name").to_string(), source(&inside))
    };
    Cell {
        name: text(node, "name").into(),
        unit: text(node, "defName").into(),
        pins: node.children().filter(|n| n.has_tag_name("port")).map(pin).collect(),
    }
}

fn is_var(node: Node<'_, '_>) -> bool {
    matches!(node.tag_name().name(), "varref" | "varxref")
}

fn signals(nodes: &[Node<'_, '_>]) -> Vec<Signal> {
    let all = nodes.iter().flat_map(Node::descendants).filter(|n| is_var(*n));
    let signal = |n: Node<'_, '_>| Signal {
        key: text(n, "name").into(),
        name: text(n, "name").trim_end_matches("__Viftop").into(),
        dotted: text(n, "dotted").into(),
    };
    all.map(signal).collect()
}

fn source(nodes: &[Node<'_, '_>]) -> Source {
    let inverted = match nodes {
        [one] if is_var(*one) => Some(false),
        [one] if one.has_tag_name("not") => {
            let mut inside = one.children().filter(Node::is_element);
            inside.next().filter(|n| is_var(*n)).map(|_| true)
        }
        _ => None,
    };
    Source { signals: signals(nodes), inverted }
}
