#!/bin/sh
# Installs the program beside this script, with its completions and manual, below a folder:
#
#   ./install.sh [PREFIX]      (~/.local if left out; /usr/local needs root)
#   ./install.sh --uninstall [PREFIX]
#
# The program needs libcurl (libcurl.so.4 or libcurl-gnutls.so.4) and, for https, the certificates of the system.
# Removing leaves what you made with it: ~/.config/issues, ~/.local/share/issues, ~/.local/state/issues, ~/.cache/issues.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
remove=
if [ "${1:-}" = --uninstall ]; then
  remove=yes
  shift
fi
case ${1:-} in
-*)
  sed -n '2,/^set /{/^#/s/^# \{0,1\}//p;}' "$0" >&2
  exit 64
  ;;
esac
prefix=${1:-$HOME/.local}

cd "$here"
find bin share -type f | while IFS= read -r file; do
  if [ -n "$remove" ]; then
    rm -f "$prefix/$file"
    continue
  fi
  mode=644
  [ ! -x "$file" ] || mode=755
  mkdir -p "$prefix/$(dirname "$file")"
  # Not into the old file: it may be running.
  rm -f "$prefix/$file"
  cp "$file" "$prefix/$file"
  chmod "$mode" "$prefix/$file"
done
if [ -n "$remove" ]; then
  # Folders that others use too aren't empty.
  rmdir "$prefix/share/doc/issues/examples" "$prefix/share/doc/issues" 2>/dev/null || true
  echo "removed issues from $prefix" >&2
  exit 0
fi
"$prefix/bin/issues" --version >/dev/null || {
  echo "install.sh: $prefix/bin/issues doesn't run here: it needs glibc and an $(uname -m) machine as it was built for" >&2
  exit 1
}
echo "installed issues $("$prefix/bin/issues" --version) below $prefix" >&2
case :$PATH: in
*":$prefix/bin:"*) ;;
*) echo "install.sh: $prefix/bin isn't in your PATH" >&2 ;;
esac
