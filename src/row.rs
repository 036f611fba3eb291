//! Rows: what the pins carried in a cycle, in batches.

use congruent_ports::Layout;

/// Rows of one run, one after the other: `inputs` words and `outputs` words a row.
#[derive(Debug, Clone, Default)]
pub struct Rows {
    /// Words of a row's inputs.
    pub width_in: usize,
    /// Words of a row's outputs.
    pub width_out: usize,
    /// Inputs, `width_in` words a row.
    pub inputs: Vec<u64>,
    /// Outputs that the golden model shows, `width_out` words a row.
    pub outputs: Vec<u64>,
}

impl Rows {
    /// No rows, with room for `rows`.
    pub fn new(width_in: usize, width_out: usize, rows: usize) -> Self {
        Self {
            width_in,
            width_out,
            inputs: Vec::with_capacity(width_in * rows),
            outputs: Vec::with_capacity(width_out * rows),
        }
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.inputs.len() / self.width_in
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.inputs.is_empty()
    }

    /// Forgets all rows, keeps the room.
    pub fn clear(&mut self) {
        self.inputs.clear();
        self.outputs.clear();
    }

    /// Inputs of row `n`.
    pub fn input(&self, n: usize) -> &[u64] {
        &self.inputs[n * self.width_in..(n + 1) * self.width_in]
    }

    /// Outputs of row `n`.
    pub fn output(&self, n: usize) -> &[u64] {
        &self.outputs[n * self.width_out..(n + 1) * self.width_out]
    }
}

/// Inputs of a row in which nothing is offered, every answer is taken, and the controls are idle.
pub fn idle_inputs(layout: &Layout) -> Vec<u64> {
    let mut inputs = vec![0; layout.inputs.len()];
    for ready in layout.channels_out.iter().filter_map(|c| c.ready) {
        inputs[ready] = (1 << layout.inputs[ready].width) - 1;
    }
    for (word, control) in inputs[layout.controls..].iter_mut().zip(layout.block.controls) {
        *word = control.idle;
    }
    inputs
}

/// Outputs of a row for a golden model to write into. It always takes the beats of a channel that
/// has no ready in the table; a DUT may have one ([`Layout::add_ready`]).
pub fn blank_outputs(layout: &Layout) -> Vec<u64> {
    let mut outputs = vec![0; layout.outputs.len()];
    outputs[layout.level_words().end..].fill(1);
    outputs
}
