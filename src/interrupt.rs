//! Ctrl-C: a command that writes files ends at a place where nothing is half-written.
//!
//! A command that asks for it with [`listen`] is no longer ended by the first signal: it asks
//! [`check`] between its steps and leaves with [`Error::Interrupted`]. The second signal ends it
//! at once; files appear whole or not at all even then, because each is renamed into its place.

use crate::error::{Error, Exit, Result};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);
static LISTEN: Once = Once::new();

/// From now on the first Ctrl-C is only noted.
pub fn listen() {
    LISTEN.call_once(|| {
        // Where no handler can be set the signal ends the program, as it did before.
        let _ = ctrlc::set_handler(|| {
            if INTERRUPTED.swap(true, Ordering::Relaxed) {
                std::process::exit(Exit::Usage as i32);
            }
        });
    });
}

/// Whether Ctrl-C was noted.
#[inline]
pub fn noted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// Leaves if Ctrl-C was noted.
///
/// # Errors
/// [`Error::Interrupted`].
#[inline]
pub fn check() -> Result<()> {
    if noted() { Err(Error::Interrupted) } else { Ok(()) }
}
