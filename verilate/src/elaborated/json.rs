//! Reads the tree that Verilator writes as JSON (`--json-only`), in the form of version 5.048.

use super::tree::{Cell, Dir, Raw, Signal, Source, Tree, Unit, Var, Wait, range};
use super::types::Place;
use serde_json::Value;
use std::collections::HashMap;
use std::path::PathBuf;

/// Reads a tree and the list of files that goes with it; `shown` says how a path is shown.
///
/// # Errors
/// Text that is not such a tree.
pub(super) fn read(
    tree: &str,
    meta: &str,
    shown: &dyn Fn(&str) -> PathBuf,
) -> Result<Tree, String> {
    let root = parse(tree)?;
    let meta = parse(meta)?;
    let files = meta["files"].as_object().ok_or("the list of files is missing")?;
    let files = files
        .iter()
        .map(|(id, file)| (id.as_str(), shown(text(file, "filename"))))
        .collect::<HashMap<_, _>>();
    let reader = Reader { files };
    let mut out = Tree::default();
    for module in list(&root, "modulesp") {
        match text(module, "type") {
            "MODULE" | "IFACE" => out.units.push(reader.unit(module)),
            _ => {}
        }
    }
    for table in list(&root, "miscsp") {
        for entry in list(table, "typesp") {
            out.types.insert(text(entry, "addr").to_string(), reader.ty(entry));
        }
    }
    Ok(out)
}

fn parse(text: &str) -> Result<Value, String> {
    // Expressions nest deeper than the parser's own limit; the caller has stack enough.
    let mut parser = serde_json::Deserializer::from_str(text);
    parser.disable_recursion_limit();
    serde::Deserialize::deserialize(&mut parser).map_err(|e: serde_json::Error| e.to_string())
}

fn text<'a>(node: &'a Value, name: &str) -> &'a str {
    node[name].as_str().unwrap_or_default()
}

fn list<'a>(node: &'a Value, name: &str) -> &'a [Value] {
    node[name].as_array().map_or(&[], Vec::as_slice)
}

/// All nodes that hang on one.
fn children(node: &Value) -> impl Iterator<Item = &Value> {
    let lists = node.as_object().into_iter().flat_map(|fields| fields.values());
    lists.filter_map(Value::as_array).flatten()
}

fn flag(node: &Value, name: &str) -> bool {
    node[name].as_bool().unwrap_or(false)
}

struct Reader<'a> {
    files: HashMap<&'a str, PathBuf>,
}

impl Reader<'_> {
    /// `e,6:8,6:9`: file, line and column of the start, of the end.
    fn place(&self, node: &Value) -> Place {
        let mut parts = text(node, "loc").split(',');
        let file = parts.next().and_then(|id| self.files.get(id)).cloned().unwrap_or_default();
        let line = parts.next().and_then(|start| start.split(':').next()?.parse().ok());
        Place { file, line: line.unwrap_or(0) }
    }

    fn unit(&self, node: &Value) -> Unit {
        let mut unit = Unit {
            key: text(node, "addr").into(),
            name: text(node, "name").into(),
            place: self.place(node),
            top: node["level"].as_u64() == Some(1),
            interface: text(node, "type") == "IFACE",
            vars: Vec::new(),
            cells: Vec::new(),
            drives: HashMap::new(),
            waits: Vec::new(),
            modports: Vec::new(),
        };
        for child in children(node) {
            self.walk(child, false, &mut unit);
        }
        unit
    }

    /// `clocked`: below something that waits for an edge, where an assignment is a register.
    fn walk(&self, node: &Value, clocked: bool, unit: &mut Unit) {
        let kind = text(node, "type");
        match kind {
            "VAR" => unit.vars.push(self.var(node)),
            "CELL" => unit.cells.push(cell(node)),
            // Their arguments are no ports.
            "FUNC" | "TASK" => {}
            "MODPORT" => {
                let of = |var: &Value| match text(var, "direction") {
                    "OUTPUT" => Dir::Out,
                    "INPUT" => Dir::In,
                    _ => Dir::Inout,
                };
                let vars = list(node, "varsp").iter().map(|v| (text(v, "name").to_string(), of(v)));
                unit.modports.push((text(node, "name").into(), vars.collect()));
            }
            _ => {
                let waits = self.waits(node);
                let clocked = clocked || !waits.is_empty();
                unit.waits.extend(waits);
                if kind.starts_with("ASSIGN") && kind != "ASSIGNDLY" && !clocked {
                    let mut driven = Vec::new();
                    list(node, "lhsp").iter().for_each(|n| signals(n, &mut driven));
                    let source = source(list(node, "rhsp"));
                    for signal in driven.into_iter().filter(|s| s.dotted.is_empty()) {
                        unit.drives.entry(signal.key).or_default().push(source.clone());
                    }
                }
                for child in children(node) {
                    self.walk(child, clocked, unit);
                }
            }
        }
    }

    fn var(&self, node: &Value) -> Var {
        let dir = match text(node, "direction") {
            "INPUT" => Some(Dir::In),
            "OUTPUT" => Some(Dir::Out),
            "INOUT" | "REF" | "CONSTREF" => Some(Dir::Inout),
            _ => None,
        };
        // The quotes of a string are escaped once more than JSON asks for.
        let param = || {
            let constant = list(node, "valuep").first().map_or("", |v| text(v, "name"));
            constant.replace("\\\"", "\"")
        };
        Var {
            key: text(node, "addr").into(),
            name: text(node, "name").into(),
            place: self.place(node),
            dir,
            ty: text(node, "dtypep").into(),
            param: (text(node, "varType") == "GPARAM").then(param),
        }
    }

    fn waits(&self, node: &Value) -> Vec<Wait> {
        let items: Vec<&Value> =
            list(node, "sentreep").iter().flat_map(|tree| list(tree, "sensesp")).collect();
        let edges = items.iter().filter(|i| matches!(text(i, "edgeType"), "POS" | "NEG" | "BOTH"));
        let several = edges.clone().count() > 1;
        let mut asked = Vec::new();
        if several {
            for (name, body) in node.as_object().into_iter().flatten() {
                if name != "sentreep" {
                    body.as_array().into_iter().flatten().for_each(|n| signals(n, &mut asked));
                }
            }
        }
        let mut waits = Vec::new();
        for item in edges {
            let source = source(list(item, "sensp"));
            let reset = several
                && source.signals.iter().any(|s| asked.iter().any(|a: &Signal| a.key == s.key));
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

    fn ty(&self, node: &Value) -> Raw {
        let kind = text(node, "type");
        let name = text(node, "name").to_string();
        let sub = || match text(node, "refDTypep") {
            "" | "UNLINKED" => text(node, "dtypep").to_string(),
            key => key.to_string(),
        };
        let dimension = || range(text(node, "declRange"));
        let other = |what: &str| Raw::Other(what.to_string());
        match kind {
            "BASICDTYPE" => {
                let keyword = text(node, "keyword");
                match keyword {
                    "bit" | "logic" | "byte" | "shortint" | "int" | "longint" | "integer"
                    | "time" | "logic_implicit" => {
                        let range = range(text(node, "range"));
                        Raw::Bits { range, signed: flag(node, "signed") }
                    }
                    _ => other(&format!("of type {keyword}")),
                }
            }
            "REFDTYPE" | "PARAMTYPEDTYPE" | "CONSTDTYPE" | "MEMBERDTYPE" => Raw::Same(sub()),
            "PACKARRAYDTYPE" | "UNPACKARRAYDTYPE" => match (dimension(), kind) {
                (Some(range), "PACKARRAYDTYPE") => Raw::Packed(range, sub()),
                (Some(range), _) => Raw::Unpacked(range, sub()),
                (None, _) => other("an array without a range"),
            },
            "STRUCTDTYPE" | "UNIONDTYPE" if !flag(node, "packed") => {
                other(if kind == "UNIONDTYPE" { "an unpacked union" } else { "an unpacked struct" })
            }
            "STRUCTDTYPE" | "UNIONDTYPE" => {
                let member = |m: &Value| (text(m, "name").to_string(), text(m, "refDTypep").into());
                Raw::Struct {
                    name,
                    signed: flag(node, "signed"),
                    union: kind == "UNIONDTYPE",
                    members: list(node, "membersp").iter().map(member).collect(),
                }
            }
            "ENUMDTYPE" => {
                let item = |i: &Value| {
                    let value = list(i, "valuep").first().map_or("", |v| text(v, "name"));
                    (text(i, "name").to_string(), value.to_string())
                };
                Raw::Enum {
                    name,
                    base: sub(),
                    names: list(node, "itemsp").iter().map(item).collect(),
                }
            }
            "IFACEREFDTYPE" => {
                let modport = text(node, "modportName");
                let dot = if modport.is_empty() { "" } else { "." };
                Raw::Other(format!("an interface {}{dot}{modport}", text(node, "ifaceName")))
            }
            "DYNARRAYDTYPE" => other("a dynamic array"),
            "QUEUEDTYPE" => other("a queue"),
            "ASSOCARRAYDTYPE" | "WILDCARDARRAYDTYPE" => other("an associative array"),
            "CLASSREFDTYPE" => other("a class"),
            _ => other(&format!("of a type that is not made of bits ({kind})")),
        }
    }
}

fn cell(node: &Value) -> Cell {
    let pin = |pin: &Value| (text(pin, "modVarp").to_string(), source(list(pin, "exprp")));
    Cell {
        name: text(node, "name").into(),
        unit: text(node, "modp").into(),
        pins: list(node, "pinsp").iter().map(pin).collect(),
    }
}

/// What expressions read or write.
fn signals(node: &Value, found: &mut Vec<Signal>) {
    if matches!(text(node, "type"), "VARREF" | "VARXREF") {
        found.push(Signal {
            key: text(node, "varp").into(),
            name: text(node, "name").into(),
            dotted: text(node, "dotted").into(),
        });
    }
    children(node).for_each(|child| signals(child, found));
}

fn source(expressions: &[Value]) -> Source {
    let mut found = Vec::new();
    expressions.iter().for_each(|n| signals(n, &mut found));
    let is_var = |n: &Value| matches!(text(n, "type"), "VARREF" | "VARXREF");
    let inverted = match expressions {
        [one] if is_var(one) => Some(false),
        [one] if text(one, "type") == "NOT" => match list(one, "lhsp") {
            [inner] if is_var(inner) => Some(true),
            _ => None,
        },
        _ => None,
    };
    Source { signals: found, inverted }
}
