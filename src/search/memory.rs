//! How much memory there is.

use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// At most so many parts of a hundred of the free memory are taken: the rest is for others.
const SHARE: u64 = 80;

/// `wanted` MB, or less where the machine has not that much free.
pub fn affordable_mb(wanted: usize) -> usize {
    let kind = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    match System::new_with_specifics(kind).map(|system| system.available_memory()) {
        // Where the system does not tell, believe the user.
        Ok(0) | Err(_) => wanted,
        Ok(free) => wanted.min((free / 100 * SHARE / (1024 * 1024)) as usize).max(1),
    }
}
