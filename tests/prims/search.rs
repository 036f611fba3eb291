//! `cam_ram`, `onehot_index` and `lowest_index` against plain lists.

use crate::bench::{Bug, Prim, Twin, check, level, module, param, pin};
use congruent_hw::random::Draw;
use congruent_ports::{Block, ParamSet, Width};
use std::collections::HashMap;

const BIT: Width = Width::Bits(1);
const INDEX: Width = Width::Bits(12);
const KEY: Width = Width::Param("KEY_W");

static CAM_PINS: Block = module(
    "cam_ram_top",
    &[param("N", 128), param("KEY_W", 24), param("SLICE_W", 6)],
    &[
        pin("a_look", BIT),
        pin("a_key", KEY),
        pin("b_look", BIT),
        pin("b_key", KEY),
        pin("replace", BIT),
        pin("replace_index", INDEX),
        pin("new_key", KEY),
        pin("old_key_1", KEY),
    ],
    &[
        level("init_done", BIT),
        level("a_hit", BIT),
        level("a_several", BIT),
        level("a_index", INDEX),
        level("b_hit", BIT),
        level("b_several", BIT),
        level("b_index", INDEX),
    ],
);

static CAM: Prim = Prim {
    block: &CAM_PINS,
    sources: &[
        "rtl/prim/ram_bit_1w1r.sv",
        "rtl/prim/onehot_index.sv",
        "rtl/prim/cam_ram.sv",
        "tests/prims/tops/cam_ram_top.sv",
    ],
    sets: &[&[("N", 1024)], &[("N", 128), ("KEY_W", 13)]],
    bugs: &[
        Bug {
            what: "the old key is not erased",
            file: "rtl/prim/cam_ram.sv",
            find: "assign we        = «recent_q[1]» || recent_q[2];",
            replace: "1'b0",
        },
        Bug {
            what: "a lookup before the new key is written does not know it",
            file: "rtl/prim/cam_ram.sv",
            find: "assign fix       = replace || «recent_q != '0»;",
            replace: "recent_q[2:1] != '0",
        },
        Bug {
            what: "a lookup does not know the replacement of its second cycle",
            file: "rtl/prim/cam_ram.sv",
            find: "assign fix_key   = «replace» ? new_key : new_key_q;",
            replace: "1'b0",
        },
        Bug {
            what: "the lowest slice is left out",
            file: "rtl/prim/cam_ram.sv",
            find: "b_common = b_common & «b_word[s]»;",
            replace: "(s == 0) ? '1 : b_word[s]",
        },
        Bug {
            what: "rows are not told apart",
            file: "rtl/prim/onehot_index.sv",
            find: "index[b] = «|(row & PLACES[ROWS-1:0])»;",
            replace: "1'b0",
        },
    ],
};

/// What is on its way through one lookup port: the key asked for in the last cycle, and the match
/// that shows.
#[derive(Default)]
struct Look {
    asked: Option<u64>,
    shows: Option<Option<usize>>,
}

/// The key of each index, no key twice.
struct Keys {
    keys: Vec<Option<u64>>,
    index: HashMap<u64, usize>,
    key_mask: u64,
    looks: [Look; 2],
    /// Cycles until a key may be replaced again, and the key that was, for the cycle after.
    rest: u64,
    old: Option<u64>,
    /// The key replaced last, and the one that it took the place of.
    last: [u64; 2],
}

impl Keys {
    fn new(params: &ParamSet) -> Self {
        Self {
            keys: vec![None; params.get("N") as usize],
            index: HashMap::new(),
            key_mask: (1 << params.get("KEY_W")) - 1,
            looks: Default::default(),
            rest: 0,
            old: None,
            last: [0; 2],
        }
    }

    /// One of twice as many keys as there is room for, spread over all slices.
    fn key(&self, draw: &mut Draw) -> u64 {
        draw.below(2 * self.keys.len() as u64).wrapping_mul(0x9e_3779_b9b5) & self.key_mask
    }

    /// A key that is looked up: one of the last replacement, or any.
    fn sought(&self, draw: &mut Draw) -> u64 {
        match draw.below(3) {
            0 => self.last[draw.below(2) as usize],
            _ => self.key(draw),
        }
    }
}

impl Twin for Keys {
    fn inputs(&mut self, draw: &mut Draw, inputs: &mut [u64]) {
        (inputs[0], inputs[2]) = (u64::from(draw.chance(3, 4)), u64::from(draw.chance(1, 2)));
        (inputs[1], inputs[3]) = (self.sought(draw), self.sought(draw));
        inputs[5] = draw.below(self.keys.len() as u64);
        // A key that stands elsewhere may not come twice; to stay where it is it may.
        inputs[6] = self.key(draw);
        let free = self.index.get(&inputs[6]).is_none_or(|i| *i as u64 == inputs[5]);
        inputs[4] = u64::from(self.rest == 0 && free && draw.chance(1, 2));
        // The key before a first one is anything.
        inputs[7] = self.old.take().unwrap_or_else(|| self.key(draw));
    }

    fn step(&mut self, inputs: &[u64], outputs: &mut [Option<u64>]) {
        outputs[0] = Some(1);
        for (port, look) in self.looks.iter().enumerate() {
            outputs[1 + 3 * port] = look.shows.map(|found| u64::from(found.is_some()));
            outputs[2 + 3 * port] = look.shows.map(|_| 0);
            outputs[3 + 3 * port] = look.shows.map(|found| found.unwrap_or(0) as u64);
        }
        self.rest = self.rest.saturating_sub(1);
        if inputs[4] != 0 {
            let (at, key) = (inputs[5] as usize, inputs[6]);
            self.old = self.keys[at].replace(key);
            self.last = [key, self.old.unwrap_or(key)];
            if let Some(old) = self.old {
                self.index.remove(&old);
            }
            self.index.insert(key, at);
            self.rest = 3;
        }
        for (port, look) in self.looks.iter_mut().enumerate() {
            if let Some(key) = look.asked.take() {
                look.shows = Some(self.index.get(&key).copied());
            }
            if inputs[2 * port] != 0 {
                look.asked = Some(inputs[2 * port + 1]);
            }
        }
    }
}

static LOWEST_PINS: Block = module(
    "lowest_index_top",
    &[param("N", 128)],
    &[pin("place", INDEX), pin("bits", Width::Bits(64))],
    &[level("any", BIT), level("index", INDEX)],
);

static LOWEST: Prim = Prim {
    block: &LOWEST_PINS,
    sources: &[
        "rtl/prim/onehot_index.sv",
        "rtl/prim/lowest_index.sv",
        "tests/prims/tops/lowest_index_top.sv",
    ],
    sets: &[&[("N", 1024)], &[("N", 192)]],
    bugs: &[Bug {
        what: "the highest row instead of the lowest",
        file: "rtl/prim/lowest_index.sv",
        find: ".onehot («rows & (~rows + 1'b1)»)",
        replace: "rows & ~(rows >> 1)",
    }],
};

/// The long word, 64 bits each.
struct Words(Vec<u64>);

impl Twin for Words {
    fn inputs(&mut self, draw: &mut Draw, inputs: &mut [u64]) {
        inputs[0] = draw.below(self.0.len() as u64);
        // Mostly empty: the lowest bit is anywhere.
        inputs[1] = match draw.below(6) {
            0 => draw.bits(),
            1 => 1 << draw.below(64),
            _ => 0,
        };
    }

    fn step(&mut self, inputs: &[u64], outputs: &mut [Option<u64>]) {
        let word = self.0.iter().position(|word| *word != 0);
        outputs[0] = Some(u64::from(word.is_some()));
        outputs[1] = word.map(|w| 64 * w as u64 + u64::from(self.0[w].trailing_zeros()));
        self.0[inputs[0] as usize] = inputs[1];
    }
}

#[test]
fn the_cam_finds_what_a_list_finds() {
    check(&CAM, Keys::new);
}

#[test]
fn the_lowest_bit_is_that_of_the_words() {
    check(&LOWEST, |params| Words(vec![0; params.get("N") as usize / 64]));
}
