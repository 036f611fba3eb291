//! Whether two cases are the same, and if not, where they first differ.

use super::packing::Packing;
use super::{Case, EXPECTED, MANIFEST, STIMULUS};
use congruent_ports::{Layout, Port};

/// Where a case that was loaded first differs from a fresh one: file, then row and field. The
/// version of the program that wrote it may differ.
pub fn difference(loaded: &Case, fresh: &Case) -> Option<String> {
    in_manifest(loaded, fresh)
        .map(|what| format!("{MANIFEST}: {what}"))
        .or_else(|| in_rows(loaded, fresh))
}

fn in_manifest(loaded: &Case, fresh: &Case) -> Option<String> {
    let (old, new) = (&loaded.about, &fresh.about);
    let texts = [
        ("block", loaded.unit.block().name.to_string(), fresh.unit.block().name.to_string()),
        ("scenario", old.scenario.clone(), new.scenario.clone()),
        ("doc", old.doc.clone(), new.doc.clone()),
        ("covers", old.covers.join(", "), new.covers.join(", ")),
        ("build", format!("{:?}", old.build), format!("{:?}", new.build)),
        ("seed", format!("{:?}", old.seed), format!("{:?}", new.seed)),
        ("generator", old.generator.clone(), new.generator.clone()),
    ];
    let differs = |(name, old, new): (&str, String, String)| {
        (old != new).then(|| format!("{name} is {old}, now {new}"))
    };
    let params = loaded.params.iter().zip(fresh.params.iter());
    let attributes = loaded.attributes.iter().zip(fresh.attributes.iter());
    texts
        .into_iter()
        .chain(params.map(|(old, new)| (old.0, old.1.to_string(), new.1.to_string())))
        .chain(attributes.map(|(old, new)| (old.0.name, old.1.to_string(), new.1.to_string())))
        .find_map(differs)
}

fn in_rows(loaded: &Case, fresh: &Case) -> Option<String> {
    let layout = loaded.layout();
    let Layout { inputs, outputs, .. } = &layout;
    let (old, new) = (&loaded.rows, &fresh.rows);
    let side = |file, ports, packing, old, new| first(file, ports, &packing, old, new);
    side(STIMULUS, inputs, Packing::inputs(&layout), &old.inputs, &new.inputs)
        .or_else(|| side(EXPECTED, outputs, Packing::outputs(&layout), &old.outputs, &new.outputs))
        .or_else(|| {
            let (old, new) = (old.len(), new.len());
            (old != new).then(|| format!("{MANIFEST}: cycles is {old}, now {new}"))
        })
}

fn first(
    file: &str,
    ports: &[Port],
    packing: &Packing,
    old: &[u64],
    new: &[u64],
) -> Option<String> {
    let width = ports.len();
    for (cycle, (old, new)) in old.chunks_exact(width).zip(new.chunks_exact(width)).enumerate() {
        let (mut old, mut new) = (old.to_vec(), new.to_vec());
        packing.mask(&mut old);
        packing.mask(&mut new);
        if let Some(at) = (0..width).find(|at| old[*at] != new[*at]) {
            return Some(format!(
                "{file}: cycle {cycle}, {} is {:#x}, now {:#x}",
                ports[at].name, old[at], new[at]
            ));
        }
    }
    None
}
