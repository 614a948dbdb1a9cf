#!/bin/sh
# Runs the tests of the tree that use several threads under ThreadSanitizer. Needs a nightly compiler with its sources
# (rustup toolchain install nightly --component rust-src): without a standard library made the same way there are false
# alarms.
set -e
cd "$(dirname "$0")/.."
host=$(rustc +nightly -vV | sed -n 's/^host: //p')
RUSTFLAGS="-Z sanitizer=thread -C target-cpu=native" exec cargo +nightly test -Z build-std --target "$host" --release \
    --config 'profile.release.lto="off"' --config profile.release.codegen-units=16 \
    --test engine_tests -- search::threads search::memory --test-threads 1
