#!/bin/sh
# Runs the tests of the tree that use several threads under ThreadSanitizer. The standard library must be made the same way, or
# there are false alarms, so its sources are fetched; the compiler is the usual one with its unstable options allowed.
set -e
cd "$(dirname "$0")/.."
rustup component add rust-src
host=$(rustc -vV | sed -n 's/^host: //p')
export RUSTC_BOOTSTRAP=1
RUSTFLAGS="-Z sanitizer=thread -C target-cpu=native" exec cargo test -Z build-std --target "$host" --release \
    --config 'profile.release.lto="off"' --config profile.release.codegen-units=16 \
    --test engine_tests -- search::threads search::memory --test-threads 1
