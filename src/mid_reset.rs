//! `--reset-mid-run`: every leg is begun, cut off by a reset with beats on their way, and then played
//! in full on the same DUT. What reset leaves out shows then, and only then.

use crate::play::settle_cycles;
use congruent_hw::random::Draw;
use congruent_hw::stimulus::{MidReset, Stimulus};
use congruent_ports::Block;

/// A reset is longer than usual by fewer cycles than this.
const MOST_LONGER: u64 = 17;

/// A reset comes at most so many cycles after a beat: it is still on its way then.
const ON_ITS_WAY: u64 = 24;

/// Where the resets are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MidResets {
    /// Drawn for each leg, from its name.
    Drawn,
    /// In this place.
    At(MidReset),
}

impl MidResets {
    /// Reads `CYCLE` or `CYCLE,LONGER`; nothing is drawn.
    ///
    /// # Errors
    /// What is accepted.
    pub fn parse(text: &str) -> Result<Self, String> {
        if text.is_empty() {
            return Ok(Self::Drawn);
        }
        let (after, longer) = text.split_once(',').unwrap_or((text, "0"));
        match (after.parse(), longer.parse()) {
            (Ok(after), Ok(longer @ 0..=65_535)) => Ok(Self::At(MidReset { after, longer })),
            _ => Err("accepted is a cycle, and by how many cycles the reset is longer than usual \
                      (up to 65535), as 130,7"
                .to_string()),
        }
    }

    /// As an option of the command, with a blank before it.
    pub fn flag(self) -> String {
        match self {
            Self::Drawn => " --reset-mid-run".to_string(),
            Self::At(MidReset { after, longer }) => format!(" --reset-mid-run={after},{longer}"),
        }
    }

    /// The reset of a leg of this name.
    pub fn of(self, stimulus: &Stimulus, block: &Block, name: &str) -> MidReset {
        if let Self::At(reset) = self {
            return reset;
        }
        let mut draw = Draw::new(0, &format!("reset in mid-run/{name}"));
        // With no beat at all, anywhere.
        let mut at = draw.below(stimulus.cycles.max(1));
        let beats = stimulus.beats() as u64;
        if beats > 0 {
            let mut beat = draw.below(beats) as usize;
            for stream in &stimulus.streams {
                if let Some(cycle) = stream.not_before(beat) {
                    at = cycle;
                    break;
                }
                beat -= stream.len();
            }
        }
        let on_its_way = settle_cycles(block).clamp(1, ON_ITS_WAY);
        MidReset { after: at + 1 + draw.below(on_its_way), longer: draw.below(MOST_LONGER) as u32 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use congruent_ports::BLOCKS;

    #[test]
    fn a_place_is_read_and_written() {
        let at = |after, longer| Ok(MidResets::At(MidReset { after, longer }));
        assert_eq!(MidResets::parse(""), Ok(MidResets::Drawn));
        assert_eq!(MidResets::parse("130"), at(130, 0));
        assert_eq!(MidResets::parse("130,7"), at(130, 7));
        for text in ["x", "1,", ",1", "-1", "1,70000", "1,2,3"] {
            assert!(MidResets::parse(text).is_err(), "{text}");
        }
        let reset = MidResets::At(MidReset { after: 5, longer: 2 });
        assert_eq!(reset.flag(), " --reset-mid-run=5,2");
    }

    /// The reset comes soon after a beat, and somewhere else for another name.
    #[test]
    fn resets_come_with_beats_on_their_way() {
        let block = BLOCKS[0];
        let mut stimulus = Stimulus::new(block);
        for cycle in [100, 5_000] {
            stimulus.push(0, cycle, &[1]);
        }
        stimulus.push(1, 9_000, &[1, 64]);
        let reset = |n: u32| MidResets::Drawn.of(&stimulus, block, &format!("leg {n}"));
        let near =
            |at: u64| [100, 5_000, 9_000].into_iter().find(|c| (c + 1..=c + 24).contains(&at));
        let places: Vec<_> = (0..40).map(|n| near(reset(n).after).expect("near a beat")).collect();
        assert!([100, 5_000, 9_000].iter().all(|cycle| places.contains(cycle)), "{places:?}");
        assert_eq!(reset(3), reset(3));
    }
}
