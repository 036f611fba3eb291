//! The 32-bit Galois LFSR of the random marking decisions: x^32 + x^22 + x^2 + x + 1, right shift.
//!
//! Maximal length: every state but 0 comes once in 2^32 - 1 steps. One step a decision would show
//! neighbouring decisions 31 bits of the same word, so a decision takes [`advance32`]: a fresh word.

/// What is folded back when a 1 leaves at the right.
pub const MASK: u32 = 0x8020_0003;

/// One step.
#[inline]
pub const fn step(state: u32) -> u32 {
    (state >> 1) ^ if state & 1 == 0 { 0 } else { MASK }
}

/// What 32 steps make of each single bit: a step is linear, so 32 steps of a word are the XOR of
/// these words over the bits that are set. In hardware: one XOR tree a bit.
const MATRIX: [u32; 32] = {
    let mut matrix = [0; 32];
    let mut bit = 0;
    while bit < 32 {
        matrix[bit] = after_steps(1 << bit, 32);
        bit += 1;
    }
    matrix
};

/// What 32 steps make of each value of each byte: the matrix in tables, for speed.
static BYTES: [[u32; 256]; 4] = {
    let mut bytes = [[0; 256]; 4];
    let mut at = 0;
    while at < 4 * 256 {
        let (byte, value) = (at / 256, at % 256);
        let mut bit = 0;
        while bit < 8 {
            if (value >> bit) & 1 == 1 {
                bytes[byte][value] ^= MATRIX[8 * byte + bit];
            }
            bit += 1;
        }
        at += 1;
    }
    bytes
};

const fn after_steps(mut state: u32, steps: u32) -> u32 {
    let mut n = 0;
    while n < steps {
        state = step(state);
        n += 1;
    }
    state
}

/// 32 steps at once.
#[inline]
pub fn advance32(state: u32) -> u32 {
    let [a, b, c, d] = state.to_le_bytes().map(usize::from);
    BYTES[0][a] ^ BYTES[1][b] ^ BYTES[2][c] ^ BYTES[3][d]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand from the polynomial: the 1 of the seed leaves at once and the mask comes in; its
    /// lowest bit leaves next, and so on.
    #[test]
    fn the_first_steps_from_1() {
        let states = [1, 0x8020_0003, 0xc030_0002, 0x6018_0001, 0xb02c_0003];
        for pair in states.windows(2) {
            assert_eq!(step(pair[0]), pair[1], "after {:#x}", pair[0]);
        }
    }

    #[test]
    fn thirty_two_steps_at_once_are_thirty_two_single_steps() {
        let mut state = 1;
        for n in 0..100_000u32 {
            let start = state ^ n.wrapping_mul(0x9e37_79b9);
            assert_eq!(advance32(start), after_steps(start, 32), "from {start:#x}");
            state = advance32(state);
        }
        assert_eq!(advance32(0), 0);
    }

    /// The order of the polynomial: 2^32 - 1 steps lead back, and none of its proper divisors
    /// (2^32 - 1 = 3 x 5 x 17 x 257 x 65537) does.
    #[test]
    fn the_sequence_is_as_long_as_it_can_be() {
        const WHOLE: u64 = (1 << 32) - 1;
        assert_eq!(power(WHOLE), 1);
        for prime in [3, 5, 17, 257, 65_537] {
            assert_ne!(power(WHOLE / prime), 1, "period divides {}", WHOLE / prime);
        }
    }

    /// The state after `steps` steps from 1, by squaring the matrix of one step.
    fn power(mut steps: u64) -> u32 {
        let times = |matrix: &[u32; 32], word: u32| {
            (0..32).filter(|bit| (word >> bit) & 1 == 1).fold(0, |sum, bit| sum ^ matrix[bit])
        };
        let mut square: [u32; 32] = std::array::from_fn(|bit| step(1 << bit));
        let mut state = 1;
        while steps > 0 {
            if steps & 1 == 1 {
                state = times(&square, state);
            }
            square = std::array::from_fn(|bit| times(&square, square[bit]));
            steps >>= 1;
        }
        state
    }
}
