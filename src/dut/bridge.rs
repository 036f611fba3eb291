//! The bridge to linked models, written by hand once; only the classes behind `Dut` are generated.
//! One virtual call a cycle over slices. The lengths of slices are the caller's to check.

#[cxx::bridge(namespace = "congruent")]
pub(super) mod ffi {
    unsafe extern "C++" {
        include!("congruent/src/dut/shim.h");

        /// A Verilated model behind its driver; see `dut.h`.
        type Dut;

        /// Null if no model of that name is linked in.
        fn make(name: &str, fill: u8, seed: u64) -> UniquePtr<Dut>;
        /// Drives the `cfg_*` pins.
        fn configure(dut: Pin<&mut Dut>, cfg: &[u64]);
        /// Asserts reset, releases it, waits for `init_done`; the status.
        fn reset(dut: Pin<&mut Dut>, cycles: u32, limit: u64) -> u8;
        /// One cycle; the status.
        fn step(dut: Pin<&mut Dut>, inputs: &[u64], outputs: &mut [u64]) -> u8;
        /// Many cycles; how many were completed.
        fn steps(
            dut: Pin<&mut Dut>,
            inputs: &[u64],
            outputs: &mut [u64],
            rows: usize,
            until_refusal: bool,
        ) -> usize;
        /// The plain loop of benchmarks; the status.
        fn bare(dut: Pin<&mut Dut>, inputs: &[u64], rows: usize) -> u8;
        /// How the model stands.
        fn status(dut: &Dut) -> u8;
        /// Whether the row in which the model ended has its outputs.
        fn row_complete(dut: &Dut) -> bool;
        /// What the model printed since the last call.
        fn take_text(dut: Pin<&mut Dut>) -> String;
        /// Runs final blocks, unless the model failed.
        fn finish(dut: Pin<&mut Dut>);
    }
}
