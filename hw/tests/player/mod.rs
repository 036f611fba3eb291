//! Plays a stimulus into a golden model the way the harness' driver does: each beat is offered from
//! its cycle on until it is taken, controls hold their last value and go back to idle at the end.

use congruent_hw::Golden;
use congruent_hw::stimulus::Stimulus;
use congruent_ports::Layout;

/// Plays until every beat is taken and the stimulus' length is over, then `after` idle cycles; each
/// row goes to `see`: cycle, inputs, outputs. Returns the cycles played.
///
/// # Panics
/// Where a beat is not taken within 100 000 cycles after the stimulus' length.
pub fn play(
    golden: &mut dyn Golden,
    stimulus: &Stimulus,
    layout: &Layout,
    after: u64,
    mut see: impl FnMut(u64, &[u64], &[u64]),
) -> u64 {
    let mut inputs = vec![0; layout.inputs.len()];
    let mut outputs = vec![0; layout.outputs.len()];
    let mut next = vec![0; layout.channels_in.len()];
    let mut left = after;
    for cycle in 0.. {
        let taken_all = stimulus.streams.iter().zip(&next).all(|(s, n)| *n == s.len());
        let over = taken_all && cycle >= stimulus.cycles;
        if over && left == 0 {
            return cycle;
        }
        left -= u64::from(over);
        assert!(cycle < stimulus.cycles + 100_000, "a beat is never taken");
        for ((channel, stream), next) in layout.channels_in.iter().zip(&stimulus.streams).zip(&next)
        {
            let offered = stream.not_before(*next).is_some_and(|from| from <= cycle);
            inputs[channel.valid] = u64::from(offered);
            if offered {
                let payload = stream.payload(*next);
                inputs[channel.fields..channel.fields + payload.len()].copy_from_slice(payload);
            }
        }
        for (n, control) in layout.block.controls.iter().enumerate() {
            let changes = stimulus.controls[n].iter();
            let last = changes.take_while(|(from, _)| *from <= cycle).last();
            let value = last.filter(|_| !over).map_or(control.idle, |(_, value)| *value);
            inputs[layout.controls + n] = value;
        }
        golden.step(&inputs, &mut outputs);
        for (channel, next) in layout.channels_in.iter().zip(&mut next) {
            *next += usize::from(channel.is_taken(&inputs, &outputs));
        }
        see(cycle, &inputs, &outputs);
    }
    unreachable!("the loop returns")
}
