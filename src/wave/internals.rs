//! The inside of the RTL: traced in a run of its own, and put beside the rest.
//!
//! The pins in a waveform are those of the program that diverged, never those of the traced one: where
//! registers start with random bits, the two may not start with the same ones.

use super::hierarchy::{Hierarchy, refused};
use super::record::Row;
use crate::divergence::Scene;
use crate::error::{Error, Result};
use crate::rerun::{Lead, Rerun};
use fst_writer::{FstBodyWriter, FstSignalId};
use std::io::Cursor;
use wellen::simple::Waveform;
use wellen::{Hierarchy as Names, ItemRef, ScopeRef, SignalEncoding, SignalRef, SignalValueRef};

/// What the simulator puts before names that are words of C++.
const ESCAPE: &str = "__SYM__";

/// What was traced.
pub struct Internals {
    /// As the simulator wrote it.
    wave: Waveform,
    /// Name of the module.
    top: String,
    /// Whether the traced program showed the same on its pins.
    pub same: bool,
}

impl Internals {
    /// Plays the leg into a traced program and reads what it wrote of the window. `rows` are those of
    /// the program that diverged.
    ///
    /// # Errors
    /// A program that was built without tracing, a trace that cannot be read.
    pub(super) fn record(
        scene: &Scene<'_>,
        steered: bool,
        (from, to): (u64, u64),
        rows: &[Row],
        top: &str,
    ) -> Result<Self> {
        let folder = tempfile::tempdir().map_err(|e| unreadable(&e))?;
        let place = folder.path().join("internals.vcd");
        std::thread::scope(|scope| {
            let again = scope.spawn(|| {
                let mut rerun = Rerun::new(scene)?;
                rerun.trace_from(from, place.clone());
                let lead = if steered { Lead::Dut } else { Lead::Model };
                let mut rows = rows.iter();
                let mut same = true;
                rerun.play(lead, to, &mut |seen| {
                    if seen.cycle >= from {
                        same &= rows.next().is_some_and(|row| row.dut.as_deref() == seen.dut);
                    }
                    Ok(())
                })?;
                let mut wave = wellen::simple::read(&place).map_err(|e| unreadable(&e))?;
                let signals: Vec<_> = wave.hierarchy().signals().collect();
                wave.load_signals(&signals);
                Ok(Self { wave, top: top.to_string(), same })
            });
            again.join().unwrap_or_else(|_| Err(unreadable(&"the reader does not understand it")))
        })
    }

    /// Declares what was traced, as it is nested.
    pub(super) fn declare(&self, names: &mut Hierarchy) -> Result<Declared> {
        let hierarchy = self.wave.hierarchy();
        let mut declared = Declared { signals: vec![] };
        // The simulator puts a scope of its own around the module, in which its ports stand once more.
        let around: Vec<ItemRef> = hierarchy.scopes().map(ItemRef::Scope).collect();
        let within = hierarchy.scopes().flat_map(|scope| hierarchy[scope].scopes(hierarchy));
        let is_top = |scope: &ScopeRef| hierarchy[*scope].name(hierarchy) == self.top;
        let module: Vec<ItemRef> = within.filter(is_top).map(ItemRef::Scope).collect();
        for item in if module.is_empty() { around } else { module } {
            declared.item(hierarchy, item, "", names)?;
        }
        Ok(declared)
    }

    /// Writes what changed up to a time of the trace that was not written yet.
    pub(super) fn write(
        &self,
        declared: &mut Declared,
        time: u64,
        body: &mut FstBodyWriter<Cursor<Vec<u8>>>,
    ) -> Result<()> {
        let times = self.wave.time_table();
        for Traced { id, signal, next } in &mut declared.signals {
            let Some(signal) = self.wave.get_signal(*signal) else { continue };
            while let Some(at) = signal.time_indices().get(*next)
                && times.get(*at as usize).is_some_and(|at| *at <= time)
            {
                let value = signal.data().get_value_at(*next);
                *next += 1;
                match value {
                    SignalValueRef::Real(value) => body.signal_change(*id, &value.to_le_bytes()),
                    value => {
                        let Some(bits) = value.to_bit_string() else { continue };
                        body.signal_change(*id, bits.as_bytes())
                    }
                }
                .map_err(refused)?;
            }
        }
        Ok(())
    }
}

/// Signals of a trace, as they are called in the file.
pub(super) struct Declared {
    signals: Vec<Traced>,
}

struct Traced {
    id: FstSignalId,
    signal: SignalRef,
    /// The first change that was not written.
    next: usize,
}

impl Declared {
    /// Declares a scope or a signal. The elements of an array stand beside one another under its name,
    /// `array[3]`, whatever is in them: `before` is what an element's own name follows.
    fn item(
        &mut self,
        names: &Names,
        item: ItemRef,
        before: &str,
        file: &mut Hierarchy,
    ) -> Result<()> {
        let own = item.deref(names).name(names);
        let own = own.strip_prefix(ESCAPE).unwrap_or(own);
        let name = if own.starts_with('[') { format!("{before}{own}") } else { own.to_string() };
        match item {
            ItemRef::Scope(scope) => self.scope(names, scope, &name, file),
            ItemRef::Var(var) => {
                let var = &names[var];
                let id = match var.signal_encoding(names) {
                    // A width of 0 is an event: it has no value.
                    SignalEncoding::BitVector(0) | SignalEncoding::String => return Ok(()),
                    SignalEncoding::Real => file.real(&name)?,
                    SignalEncoding::BitVector(width) => {
                        let index = match var.index() {
                            Some(index) if index.msb() == index.lsb() => {
                                format!(" [{}]", index.msb())
                            }
                            Some(index) => format!(" [{}:{}]", index.msb(), index.lsb()),
                            None if width == 1 => String::new(),
                            None => format!(" [{}:0]", width - 1),
                        };
                        file.bits(&name, &index, width)?
                    }
                };
                self.signals.push(Traced { id, signal: var.signal_ref(), next: 0 });
                Ok(())
            }
        }
    }

    fn scope(
        &mut self,
        names: &Names,
        scope: ScopeRef,
        name: &str,
        file: &mut Hierarchy,
    ) -> Result<()> {
        let scope = &names[scope];
        let is_element = |item: ItemRef| item.deref(names).name(names).starts_with('[');
        let array = scope.items(names).next().is_some() && scope.items(names).all(is_element);
        if !array {
            file.open(name)?;
        }
        for item in scope.items(names) {
            self.item(names, item, name, file)?;
        }
        if !array {
            file.close()?;
        }
        Ok(())
    }
}

fn unreadable(why: &impl ToString) -> Error {
    Error::plain(format!("the trace of the RTL's internals cannot be read: {}", why.to_string()))
}
