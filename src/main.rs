//! The `congruent` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    congruent::cli::main()
}
