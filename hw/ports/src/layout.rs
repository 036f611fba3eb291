//! Where each port of a block lives in a row, for one set of parameters.
//!
//! Inside the harness a port lives in its own 64-bit machine word. A row is two slices of words:
//! `inputs` and `outputs`. Order of the inputs: for each input channel in table order `valid` then
//! its fields, for each output channel with ready its `ready`, then the controls. Order of the outputs: for each
//! output channel `valid` then its fields, for each input channel with ready its `ready`, then the
//! levels. The `cfg_*` pins are a third slice, in table order.

use crate::{Block, Channel, Control, Dir, Field, ParamSet, Ready, Width};

/// Direction of a port as the hardware sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PortDir {
    /// Input.
    In,
    /// Output.
    Out,
}

/// What a port is for.
#[derive(Debug, Clone, Copy)]
pub enum PortRole {
    /// Valid bit of a channel.
    Valid(&'static Channel),
    /// Ready bit of a channel.
    Ready(&'static Channel),
    /// Payload field of a channel.
    Payload(&'static Channel, &'static Field),
    /// Input without a valid bit.
    Control(&'static Control),
    /// Output that is always valid.
    Level(&'static Field),
    /// `cfg_*` pin.
    Cfg(&'static Field),
}

/// One port of the RTL and its word in a row.
#[derive(Debug, Clone)]
pub struct Port {
    /// Name in the RTL.
    pub name: String,
    /// Direction.
    pub dir: PortDir,
    /// Width in bits, 1 to 64.
    pub width: u32,
    /// What it is for.
    pub role: PortRole,
}

/// Words of one channel in its slice.
#[derive(Debug, Clone)]
pub struct ChannelLayout {
    /// The channel.
    pub channel: &'static Channel,
    /// Word of the valid bit, in the slice of the channel's direction.
    pub valid: usize,
    /// Word of field 0; the others follow.
    pub fields: usize,
    /// Word of the ready bits, in the slice of the opposite direction.
    pub ready: Option<usize>,
    /// Bits of that word: 1, or one for each value of field 0 below it.
    pub ready_bits: u32,
}

impl ChannelLayout {
    /// Whether the channel's ready is high for the beat that is on it: `own` is the slice with its
    /// valid and payload, `opposite` the one with its ready.
    #[inline]
    pub fn is_ready(&self, own: &[u64], opposite: &[u64]) -> bool {
        let Some(ready) = self.ready else { return true };
        match self.channel.ready {
            Ready::Each(_) => {
                let picked = own[self.fields];
                picked >= u64::from(self.ready_bits) || (opposite[ready] >> picked) & 1 != 0
            }
            _ => opposite[ready] != 0,
        }
    }

    /// Whether the beat that is on the channel is taken in this row.
    #[inline]
    pub fn is_taken(&self, own: &[u64], opposite: &[u64]) -> bool {
        own[self.valid] != 0 && self.is_ready(own, opposite)
    }
}

/// All ports of a block for one set of parameters.
#[derive(Debug, Clone)]
pub struct Layout {
    /// The block.
    pub block: &'static Block,
    /// Parameters that the widths come from.
    pub params: ParamSet,
    /// Ports of the `inputs` slice.
    pub inputs: Vec<Port>,
    /// Ports of the `outputs` slice.
    pub outputs: Vec<Port>,
    /// The `cfg_*` pins.
    pub cfg: Vec<Port>,
    /// Input channels, in table order.
    pub channels_in: Vec<ChannelLayout>,
    /// Output channels, in table order.
    pub channels_out: Vec<ChannelLayout>,
    /// First word of the controls in `inputs`; they run to its end.
    pub controls: usize,
    /// First word of the levels in `outputs`; nothing follows them but what
    /// [`Layout::add_ready`] adds.
    pub levels: usize,
}

impl Width {
    /// Bits under these parameters.
    pub fn bits(self, params: &ParamSet) -> u32 {
        match self {
            Self::Bits(n) => n,
            Self::Param(name) => params.get(name) as u32,
            Self::ParamPlus(name, n) => params.get(name) as u32 + n,
            Self::ParamSum(a, b) => (params.get(a) + params.get(b)) as u32,
        }
    }
}

impl Layout {
    /// Lays out a block.
    pub fn new(block: &'static Block, params: &ParamSet) -> Self {
        let mut inputs = Vec::new();
        let mut outputs = Vec::new();
        let mut channels_in = Vec::new();
        let mut channels_out = Vec::new();
        for channel in block.channels {
            let (slice, dir, list) = match channel.dir {
                Dir::In => (&mut inputs, PortDir::In, &mut channels_in),
                Dir::Out => (&mut outputs, PortDir::Out, &mut channels_out),
            };
            list.push(ChannelLayout {
                channel,
                valid: slice.len(),
                fields: slice.len() + 1,
                ready: None,
                ready_bits: 0,
            });
            slice.push(Port {
                name: format!("{}_valid", channel.name),
                dir,
                width: 1,
                role: PortRole::Valid(channel),
            });
            for field in channel.fields {
                slice.push(Port {
                    name: format!("{}_{}", channel.name, field.name),
                    dir,
                    width: field.width.bits(params),
                    role: PortRole::Payload(channel, field),
                });
            }
        }
        let ready = |list: &mut Vec<ChannelLayout>, slice: &mut Vec<Port>, dir| {
            for entry in list {
                let width = match entry.channel.ready {
                    Ready::Never => continue,
                    Ready::Whole => 1,
                    Ready::Each(param) => params.get(param) as u32,
                };
                entry.ready = Some(slice.len());
                entry.ready_bits = width;
                slice.push(Port {
                    name: format!("{}_ready", entry.channel.name),
                    dir,
                    width,
                    role: PortRole::Ready(entry.channel),
                });
            }
        };
        ready(&mut channels_out, &mut inputs, PortDir::In);
        ready(&mut channels_in, &mut outputs, PortDir::Out);
        let controls = inputs.len();
        inputs.extend(block.controls.iter().map(|control| Port {
            name: control.field.name.to_string(),
            dir: PortDir::In,
            width: control.field.width.bits(params),
            role: PortRole::Control(control),
        }));
        let levels = outputs.len();
        outputs.extend(block.levels.iter().map(|field| Port {
            name: field.name.to_string(),
            dir: PortDir::Out,
            width: field.width.bits(params),
            role: PortRole::Level(field),
        }));
        let cfg = block
            .cfg
            .iter()
            .map(|field| Port {
                name: field.name.to_string(),
                dir: PortDir::In,
                width: field.width.bits(params),
                role: PortRole::Cfg(field),
            })
            .collect();
        Self {
            block,
            params: params.clone(),
            inputs,
            outputs,
            cfg,
            channels_in,
            channels_out,
            controls,
            levels,
        }
    }

    /// Gives an input channel that has no ready one of its own, of a DUT that may refuse its beats: a
    /// word behind all other outputs.
    pub fn add_ready(&mut self, channel: &str) {
        let entry = self.channels_in.iter_mut().find(|c| c.channel.name == channel);
        let Some(entry) = entry.filter(|c| c.ready.is_none()) else { return };
        entry.ready = Some(self.outputs.len());
        entry.ready_bits = 1;
        self.outputs.push(Port {
            name: format!("{channel}_ready"),
            dir: PortDir::Out,
            width: 1,
            role: PortRole::Ready(entry.channel),
        });
    }

    /// Words of the levels in `outputs`.
    pub fn level_words(&self) -> std::ops::Range<usize> {
        self.levels..self.levels + self.block.levels.len()
    }

    /// An input channel by name.
    ///
    /// # Panics
    /// If there is none: a mistake in the code, not in a user's input.
    pub fn input(&self, name: &str) -> &ChannelLayout {
        find(&self.channels_in, name)
    }

    /// An output channel by name.
    ///
    /// # Panics
    /// If there is none: a mistake in the code, not in a user's input.
    pub fn output(&self, name: &str) -> &ChannelLayout {
        find(&self.channels_out, name)
    }

    /// Every port with its width, `clk` and `rst_n` left out: `cfg_*`, inputs, outputs.
    pub fn ports(&self) -> impl Iterator<Item = &Port> {
        self.cfg.iter().chain(&self.inputs).chain(&self.outputs)
    }
}

fn find<'a>(list: &'a [ChannelLayout], name: &str) -> &'a ChannelLayout {
    match list.iter().find(|c| c.channel.name == name) {
        Some(found) => found,
        None => panic!("no channel `{name}`"),
    }
}
