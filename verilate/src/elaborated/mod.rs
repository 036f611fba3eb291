//! A module as Verilator elaborates it: its tree, in the form that each version writes, read into
//! one [`Module`]; and what of a design cannot be driven, said before anything is built.

mod clocks;
mod interface;
mod json;
mod refuse;
mod run;
mod tree;
mod types;
mod wrapper;
mod xml;

pub use types::{Edge, Member, Module, ParamDecl, Place, PortDecl, Range, Shape, Type};

use crate::error::Error;
use crate::find::Verilator;
use crate::sources::Sources;
use congruent_ports::PortDir;
use run::Ran;
use tree::{Dir, Tree, Unit};

/// The top module of the sources, with everything that a port map can name.
///
/// # Errors
/// Sources that are missing or that Verilator refuses, a top that is not there, two modules of one
/// name, and ports that no driver can reach.
pub fn elaborate(verilator: &Verilator, sources: &Sources) -> Result<Module, Error> {
    sources.check()?;
    let (tree, said) = match run::run(verilator, sources)? {
        Ran::Tree(tree, said) => (tree, said),
        Ran::Refused(said) => return Err(refuse::refused(verilator, sources, &said)),
    };
    refuse::two_of_a_name(&said)?;
    let top = tree.units.iter().position(|unit| unit.top && !unit.interface);
    let Some(top) = top else {
        return Err(refuse::no_module(verilator, sources));
    };
    module(&tree, top)
}

/// The name of the only module that no other instantiates.
///
/// # Errors
/// Sources that are missing or that Verilator refuses; no such module, or several.
pub fn top(verilator: &Verilator, sources: &Sources) -> Result<String, Error> {
    let sources = Sources { top: String::new(), ..sources.clone() };
    sources.check()?;
    let tree = match run::run(verilator, &sources)? {
        Ran::Tree(tree, said) => {
            refuse::two_of_a_name(&said)?;
            tree
        }
        Ran::Refused(said) => return Err(refuse::refused(verilator, &sources, &said)),
    };
    let tops: Vec<&Unit> = tree.units.iter().filter(|u| u.top && !u.interface).collect();
    match tops.as_slice() {
        [one] => Ok(one.name.clone()),
        [] => Err(refuse::no_module(verilator, &sources)),
        _ => Err(refuse::several_tops(tops)),
    }
}

fn module(tree: &Tree, top: usize) -> Result<Module, Error> {
    let unit = &tree.units[top];
    let (mut ports, mut inouts, mut bad) = (Vec::new(), Vec::new(), Vec::new());
    for var in &unit.vars {
        let Some(direction) = var.dir else { continue };
        let (name, place) = (var.name.clone(), var.place.clone());
        let dir = if direction == Dir::In { PortDir::In } else { PortDir::Out };
        match tree.resolve(&var.ty) {
            Ok(ty) if direction == Dir::Inout => inouts.push(PortDecl { name, dir, ty, place }),
            Ok(ty) => ports.push(PortDecl { name, dir, ty, place }),
            Err(what) => bad.push(format!("{place}: {direction} `{name}` is {what}")),
        }
    }
    if !inouts.is_empty() || !bad.is_empty() {
        return Err(refuse::ports(&unit.name, &ports, &inouts, &bad));
    }
    let params = unit.vars.iter().filter_map(|var| {
        let signed = tree.resolve(&var.ty).is_ok_and(|ty| ty.signed);
        let value = tree::value(var.param.as_ref()?, signed);
        Some(ParamDecl { name: var.name.clone(), value, place: var.place.clone() })
    });
    Ok(Module {
        name: unit.name.clone(),
        place: unit.place.clone(),
        params: params.collect(),
        edges: tree.edges(top),
        ports,
    })
}
