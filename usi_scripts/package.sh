#!/usr/bin/env bash
# Makes what players download: dist/tenbin-VERSION-linux-x86_64.tar.gz and dist/tenbin-VERSION-windows-x86_64.zip, each with
# an executable for any x86-64-v2 processor, one for AVX2, the read-mes and the licence.
#
#   usi_scripts/package.sh [linux] [windows]     both where nothing is said
#
# Needs Debian or its kin and a Rust toolchain of rustup; what else it needs it installs.
set -euo pipefail
cd "$(dirname "$0")/.."

version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
systems=${*:-linux windows}

install() {
  local missing=()
  for package in "$@"; do
    dpkg -s "$package" >/dev/null 2>&1 || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  local root=()
  [ "$(id -u)" -eq 0 ] || root=(sudo)
  "${root[@]}" apt-get update -q
  "${root[@]}" apt-get install -yq --no-install-recommends "${missing[@]}"
}

# build TARGET NAME CPU FLAGS [CARGO ARGUMENTS]: puts the executable into the folder of the package.
build() {
  local target=$1 name=$2 cpu=$3 flags=$4
  shift 4
  printf '\n== %s for %s\n' "$name" "$cpu"
  # A folder for each, or one build would throw away what the other has compiled.
  local made=target/package/$target-$cpu
  RUSTFLAGS="-C target-cpu=$cpu $flags" cargo build --release --bin tenbin --target "$target" --target-dir "$made" "$@"
  local extension=""
  [[ $target == *windows* ]] && extension=.exe
  cp "$made/$target/release/tenbin$extension" "$folder/$name$extension"
}

# begin NAME: an empty folder for a package.
begin() {
  folder=dist/$1
  rm -rf "$folder"
  mkdir -p "$folder"
  cp README.ja.md README.md LICENSE "$folder"
}

linux() {
  local target=x86_64-unknown-linux-gnu
  install gcc libc6-dev
  begin "tenbin-$version-linux-x86_64"
  # With the C library inside it runs on any distribution.
  build $target tenbin x86-64-v2 "-C target-feature=+crt-static"
  build $target tenbin-avx2 x86-64-v3 "-C target-feature=+crt-static"
  tar -C dist -czf "$folder.tar.gz" "$(basename "$folder")"
  ls -l "$folder" "$folder.tar.gz"
}

windows() {
  # Windows 7 and newer. The standard library is built along: its own build for Windows asks for more than old systems
  # (and Debian's wine, where the result is tested) have. Debian's own rustc-web and rust-web-src would do the same, but are too
  # old (1.85) for the crates, which need the 1.95 that Cargo.toml names.
  local target=x86_64-win7-windows-gnu
  install gcc-mingw-w64-x86-64 zip
  rustup component list --installed | grep -q '^rust-src' || rustup component add rust-src
  export RUSTC_BOOTSTRAP=1
  export CC_x86_64_win7_windows_gnu=x86_64-w64-mingw32-gcc AR_x86_64_win7_windows_gnu=x86_64-w64-mingw32-ar
  export CARGO_TARGET_X86_64_WIN7_WINDOWS_GNU_LINKER=x86_64-w64-mingw32-gcc
  begin "tenbin-$version-windows-x86_64"
  local std=(-Z build-std=std,panic_abort)
  build $target tenbin x86-64-v2 "-C target-feature=+crt-static" "${std[@]}"
  build $target tenbin-avx2 x86-64-v3 "-C target-feature=+crt-static" "${std[@]}"
  rm -f "$folder.zip"
  (cd dist && zip -qr "$(basename "$folder").zip" "$(basename "$folder")")
  ls -l "$folder" "$folder.zip"
}

for system in $systems; do
  case $system in
    linux | windows) $system ;;
    *) echo "usi_scripts/package.sh: $system is neither linux nor windows" >&2; exit 2 ;;
  esac
done
