# Functions of the sessions, which main.go reads before each of them.

export TF_CLI_ARGS=-no-color
output=$PWD/output

# quietly runs a command that a session does not show.
quietly() {
  "$@" >"$output" 2>&1 || { cat "$output" >&2 && exit 1; }
}

# run prints a command and what it prints, without what varies from run to run, up to the last line that
# matches PATTERN, an extended regular expression. In place of lines before it that do not match, it prints
# an ellipsis.
#
#   run PATTERN COMMAND
run() {
  printf '$ %s\n' "$2"
  quietly eval "$2"
  sed -E 's/, after [0-9.]+m?s$//; s/[0-9a-f]{64}/…/; s/OpenTofu/Terraform/' "$output" |
    awk -v shown="$1" '$0 !~ shown { gap = 1; next } gap { print "…" } { print; gap = 0 }'
}
