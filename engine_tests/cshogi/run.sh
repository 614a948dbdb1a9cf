#!/usr/bin/env bash
# Drives the release binary with cshogi: every kind of go, then a match against itself with a clock check.
# Installs cshogi in a virtual environment of its own. Usage: engine_tests/cshogi/run.sh [GAMES [BYOYOMI_MS]]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
target=${CARGO_TARGET_DIR:-$root/target}
venv=$target/cshogi-venv
if ! "$venv/bin/python" -c 'import cshogi' 2>/dev/null; then
  rm -rf "$venv"
  if ! python3 -m venv "$venv"; then
    # Debian keeps venv in a package of its own.
    apt-get update -qq && apt-get install -y -qq python3-venv
    python3 -m venv --clear "$venv"
  fi
  "$venv/bin/pip" install --quiet --disable-pip-version-check -r "$here/requirements.txt"
fi
cargo build --release --quiet --manifest-path "$root/Cargo.toml"
"$venv/bin/python" "$here/kinds_of_go.py" "$target/release/tenbin"
"$venv/bin/python" "$here/self_match.py" "$target/release/tenbin" "${1:-20}" "${2:-100}"
