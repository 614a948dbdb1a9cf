#!/usr/bin/env bash
# Makes a page of `tenbin analyse` in both languages and tries it out in headless Chromium: it renders, steps by buttons, keys
# and clicks, and the console stays empty; so do pages about one move, a game at odds and a mate missed. Screenshots are left in
# the folder named, or in target/page.
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
short() {
  echo "$2" >"$folder/$1.usi"
  "$program" analyse "$folder/$1.usi" --playouts 100
}
short one "startpos moves 7g7f"
short odds "sfen lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1 moves 7a6b 7g7f 5c5d 4g4f"
short mate "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1 moves G*6b"
python3 engine_tests/page/browse.py "$folder"
