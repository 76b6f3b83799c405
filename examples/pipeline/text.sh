# Functions for output that holds texts of eNMS or of a branch. The other scripts read this file.

# inert makes GitHub take what a script prints from now on as text, and not as commands such as
# ::add-mask::, until `spoken`. Nobody who writes a text can know the token.
inert() {
  inert_token=
  [ -n "${GITHUB_ACTIONS:-}" ] || return 0
  inert_token=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
  echo "::stop-commands::$inert_token"
}

# spoken ends what inert began, on a line of its own.
spoken() {
  [ -z "$inert_token" ] || printf '\n::%s::\n' "$inert_token"
}

# fenced prints a file as a block of code, whose fence is longer than any run of backticks in it.
fenced() {
  fence=$(awk '{ while (match($0, /`+/)) { if (RLENGTH > n) n = RLENGTH; $0 = substr($0, RSTART + RLENGTH) } }
    END { if (n < 3) n = 3; for (; n >= 0; n--) printf "`" }' "$1")
  echo "$fence"
  cat "$1"
  echo "$fence"
}

# digest prints the SHA-256 of the standard input.
digest() {
  if command -v sha256sum >/dev/null; then sha256sum; else shasum -a 256; fi | cut -d ' ' -f 1
}
