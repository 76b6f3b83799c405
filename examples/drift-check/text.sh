# Functions for output that holds texts of eNMS or of a branch. drift-check.sh and the scripts of the
# pipeline read this file.

# stop_commands makes GitHub take what a script prints from now on as text, and not as workflow
# commands such as ::add-mask::. Nobody who writes a text can know the token.
stop_commands() {
  stop_token=
  [ -n "${GITHUB_ACTIONS:-}" ] || return 0
  stop_token=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
  echo "::stop-commands::$stop_token"
}

# resume_commands ends what stop_commands began, on a line of its own.
resume_commands() {
  [ -z "$stop_token" ] || printf '\n::%s::\n' "$stop_token"
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
