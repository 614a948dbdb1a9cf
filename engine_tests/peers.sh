#!/usr/bin/env bash
# Games against engines of Debian's packages at 300 ms byoyomi. Fails on a crash, an illegal move or a time loss of Tenbin; who
# wins does not matter. Usage: engine_tests/peers.sh [GAMES_AGAINST_EACH [BYOYOMI_MS]]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/.." && pwd)
target=${CARGO_TARGET_DIR:-$root/target}
venv=$target/cshogi-venv

packages=(fairy-stockfish gpsshogi)
if ! dpkg -s "${packages[@]}" python3-venv >/dev/null 2>&1; then
  sudo=()
  [ "$(id -u)" -eq 0 ] || sudo=(sudo)
  "${sudo[@]}" apt-get update -q
  "${sudo[@]}" apt-get install -yq --no-install-recommends "${packages[@]}" python3-venv
fi
if ! "$venv/bin/python" -c 'import cshogi' 2>/dev/null; then
  rm -rf "$venv"
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check -r "$here/cshogi/requirements.txt"
fi
program=${TENBIN:-$target/release/tenbin}
[ -n "${TENBIN:-}" ] || cargo build --release --quiet --manifest-path "$root/Cargo.toml"
"$venv/bin/python" "$here/cshogi/peers.py" "$program" "${1:-100}" "${2:-300}"
