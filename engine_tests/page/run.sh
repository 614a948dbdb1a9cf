#!/usr/bin/env bash
# Makes a page of `tenbin analyse` in both languages and tries it out in headless Chromium: it renders, steps by buttons, keys
# and clicks, and the console stays empty. Screenshots are left in the folder named, or in target/page.
#
#   engine_tests/page/run.sh [FOLDER]
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=${1:-target/page}
mkdir -p "$folder"

packages=(chromium chromium-driver fonts-noto-cjk)
if ! dpkg -s "${packages[@]}" >/dev/null 2>&1; then
  root=()
  [ "$(id -u)" -eq 0 ] || root=(sudo)
  "${root[@]}" apt-get update -q
  "${root[@]}" apt-get install -yq --no-install-recommends "${packages[@]}"
fi

program=${TENBIN:-target/release/tenbin}
[ -x "$program" ] || cargo build --release
for lang in ja en; do
  "$program" analyse engine_tests/page/game.kif --lang $lang --playouts "${PLAYOUTS:-300}" --out "$folder/game.$lang.html"
done
python3 engine_tests/page/browse.py "$folder"
