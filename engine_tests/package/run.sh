#!/usr/bin/env bash
# Tries out the packages of usi_scripts/package.sh: unpacks each into an empty folder and drives both executables through a USI
# session and a short game, the Windows ones under wine.
set -euo pipefail
cd "$(dirname "$0")/../.."
tests=$PWD/engine_tests/package

if compgen -G "dist/*-windows-*.zip" >/dev/null && ! dpkg -s wine64 unzip >/dev/null 2>&1; then
  root=()
  [ "$(id -u)" -eq 0 ] || root=(sudo)
  "${root[@]}" apt-get update -q
  "${root[@]}" apt-get install -yq --no-install-recommends wine64 unzip
fi

place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
export WINEPREFIX=$place/wine WINEDEBUG=-all
wine=$(command -v wine64 || command -v wine || echo /usr/lib/wine/wine64)

for archive in dist/*.tar.gz dist/*.zip; do
  [ -e "$archive" ] || continue
  folder=$place/$(basename "$archive")
  mkdir "$folder"
  case $archive in
    *.zip) unzip -q "$archive" -d "$folder" ;;
    *) tar -C "$folder" -xzf "$archive" ;;
  esac
  for file in README.ja.md README.md LICENSE; do
    [ -e "$folder"/*/"$file" ] || { echo "$archive has no $file" >&2; exit 1; }
  done
  for program in "$folder"/*/tenbin*; do
    echo "== $archive: $(basename "$program")"
    case $program in
      *avx2*) grep -q avx2 /proc/cpuinfo || { echo "this processor has no AVX2"; continue; } ;;
    esac
    case $program in
      *.exe) command=("$wine" "$program") ;;
      *) command=("$program") ;;
    esac
    python3 "$tests/session.py" "${command[@]}" | tee "$place/said"
    case $program in
      *avx2*) ! grep "has AVX2" "$place/said" ;;
      *) ! grep -q avx2 /proc/cpuinfo || grep -q "has AVX2" "$place/said" ;;
    esac || { echo "the advice about AVX2 is wrong" >&2; exit 1; }
  done
done
