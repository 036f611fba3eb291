//! What `congruent ports --json` says, as plain structs.

use congruent_ports::PortDir;
use congruent_verilate::{Edge, Member, Module, Place, Range, Shape, Type};
use serde::Serialize;

/// Version of the JSON form. It goes up when a member changes its meaning or goes away.
const FORMAT_VERSION: u32 = 1;

/// A module.
#[derive(Debug, Serialize)]
pub(super) struct Report<'a> {
    format_version: u32,
    module: &'a str,
    file: String,
    line: u32,
    ports: Vec<PortView<'a>>,
    parameters: Vec<ParamView<'a>>,
    edges: Vec<EdgeView<'a>>,
}

#[derive(Debug, Serialize)]
struct PortView<'a> {
    name: &'a str,
    direction: &'static str,
    /// Unpacked dimensions, outermost first.
    unpacked: Vec<RangeView>,
    #[serde(flatten)]
    ty: TypeView<'a>,
    file: String,
    line: u32,
}

#[derive(Debug, Serialize)]
struct RangeView {
    left: i64,
    right: i64,
}

#[derive(Debug, Serialize)]
struct TypeView<'a> {
    /// Bits of one element.
    bits: u32,
    signed: bool,
    kind: &'static str,
    #[serde(skip_serializing_if = "str::is_empty")]
    type_name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<RangeView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    element: Option<Box<TypeView<'a>>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    members: Vec<MemberView<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    names: Vec<NameView<'a>>,
}

#[derive(Debug, Serialize)]
struct MemberView<'a> {
    name: &'a str,
    /// Its lowest bit in what it is a member of.
    lsb: u32,
    #[serde(flatten)]
    ty: TypeView<'a>,
}

#[derive(Debug, Serialize)]
struct NameView<'a> {
    name: &'a str,
    value: &'a str,
}

#[derive(Debug, Serialize)]
struct ParamView<'a> {
    name: &'a str,
    value: &'a str,
    file: String,
    line: u32,
}

#[derive(Debug, Serialize)]
struct EdgeView<'a> {
    edge: &'static str,
    ports: &'a [String],
    /// Whether it is an edge of the port itself, not of a signal made of it.
    direct: bool,
    asynchronous_reset: bool,
    file: String,
    line: u32,
}

impl<'a> Report<'a> {
    pub(super) fn new(module: &'a Module) -> Self {
        let (file, line) = place(&module.place);
        Self {
            format_version: FORMAT_VERSION,
            module: &module.name,
            file,
            line,
            ports: module
                .ports
                .iter()
                .map(|port| {
                    let (file, line) = place(&port.place);
                    PortView {
                        name: &port.name,
                        direction: direction(port.dir),
                        unpacked: port.ty.unpacked.iter().map(range).collect(),
                        ty: TypeView::new(&port.ty),
                        file,
                        line,
                    }
                })
                .collect(),
            parameters: module
                .params
                .iter()
                .map(|param| {
                    let (file, line) = place(&param.place);
                    ParamView { name: &param.name, value: &param.value, file, line }
                })
                .collect(),
            edges: module.edges.iter().map(EdgeView::new).collect(),
        }
    }
}

impl<'a> EdgeView<'a> {
    fn new(edge: &'a Edge) -> Self {
        let (file, line) = place(&edge.place);
        Self {
            edge: if edge.rising { "rising" } else { "falling" },
            ports: &edge.ports,
            direct: edge.direct,
            asynchronous_reset: edge.reset,
            file,
            line,
        }
    }
}

impl<'a> TypeView<'a> {
    fn new(ty: &'a Type) -> Self {
        let mut view = Self {
            bits: ty.width,
            signed: ty.signed,
            kind: "bits",
            type_name: "",
            range: None,
            element: None,
            members: Vec::new(),
            names: Vec::new(),
        };
        let member =
            |m: &'a Member| MemberView { name: &m.name, lsb: m.lsb, ty: TypeView::new(&m.ty) };
        match &ty.shape {
            Shape::Bits(bits) => view.range = bits.as_ref().map(range),
            Shape::Packed { range: elements, element } => {
                view.kind = "array";
                view.range = Some(range(elements));
                view.element = Some(Box::new(TypeView::new(element)));
            }
            Shape::Struct { name, members } => {
                (view.kind, view.type_name) = ("struct", name);
                view.members = members.iter().map(member).collect();
            }
            Shape::Union { name, members } => {
                (view.kind, view.type_name) = ("union", name);
                view.members = members.iter().map(member).collect();
            }
            Shape::Enum { name, names, .. } => {
                (view.kind, view.type_name) = ("enum", name);
                view.names = names.iter().map(|(name, value)| NameView { name, value }).collect();
            }
        }
        view
    }
}

fn range(range: &Range) -> RangeView {
    RangeView { left: range.left, right: range.right }
}

fn place(place: &Place) -> (String, u32) {
    (place.file.display().to_string(), place.line)
}

/// The word for a direction.
pub(super) fn direction(dir: PortDir) -> &'static str {
    match dir {
        PortDir::In => "input",
        PortDir::Out => "output",
    }
}
