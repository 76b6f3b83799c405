#!/bin/sh
# Checks a pull request.
#
#   pipeline/check.sh code   format, configuration, and the tests of modules against a simulated
#                            eNMS. It needs no secrets and no server.
#   pipeline/check.sh plan   plans against production, with a user who can only read. The plan is
#                            described in $PIPELINE_OUT/comment.md, which forge.sh posts, with a
#                            digest of its text. Nothing of it is applied: release.sh plans again.
#
#   ENMS_BASE_URL, ENMS_USERNAME, ENMS_PASSWORD   production, for plan alone
#   POLICIES         a directory with policies, which `opa` holds against the plan (none)
#   OPA              the program ("opa")
#   TERRAFORM        the program, such as tofu (terraform)
#   ENMS_SIMULATOR   the program of the simulator, and the port for it (enms-simulator, 5999)
#   SIMULATOR_PORT
#   PRODUCTION       the directory of production (prod)
#   PIPELINE_OUT     the directory for files of the pipeline (.pipeline)
set -eu

terraform=${TERRAFORM:-terraform}
production=${PRODUCTION:-prod}
mkdir -p "${PIPELINE_OUT:-.pipeline}"
out=$(cd "${PIPELINE_OUT:-.pipeline}" && pwd)
. "$(dirname "$0")/../drift-check/text.sh"

# A plan holds secrets: it is kept where nobody else can read it, and removed.
umask 077
work=$(mktemp -d)
stop_commands
simulator=
trap '[ -z "$simulator" ] || kill "$simulator"; rm -rf "$work"; resume_commands' EXIT
trap 'exit 1' HUP INT TERM

code() {
  "$terraform" fmt -check -diff -recursive .
  "$terraform" -chdir="$production" init -input=false -no-color -backend=false
  "$terraform" -chdir="$production" validate -no-color
  modules=$(find . -name .terraform -prune -o -path '*/tests/*.tftest.hcl' -print | sed 's#/tests/[^/]*$##' | sort -u)
  [ -n "$modules" ] || return 0
  port=${SIMULATOR_PORT:-5999}
  "${ENMS_SIMULATOR:-enms-simulator}" -listen "127.0.0.1:$port" >"$work/simulator.log" 2>&1 &
  simulator=$!
  curl --silent --fail --output /dev/null --retry 20 --retry-connrefused --retry-delay 1 "http://127.0.0.1:$port/rest/is_alive"
  echo "$modules" | while IFS= read -r module; do
    "$terraform" -chdir="$module" init -input=false -no-color
    ENMS_BASE_URL=http://127.0.0.1:$port ENMS_USERNAME=admin ENMS_PASSWORD=admin "$terraform" -chdir="$module" test -no-color
  done
}

# described writes the comment: what happened, and a file of which no more is shown than a comment
# can hold.
described() {
  awk '{ n += length($0) + 1; if (n > 50000) { print "… (the log of the job has all)"; exit } print }' "$2" >"$work/shown"
  {
    echo "**$1**"
    echo
    echo '<details><summary>Details</summary>'
    echo
    fenced "$work/shown"
    echo '</details>'
    echo
    echo "Digest of the text: $(digest <"$2")"
  } >"$out/comment.md"
  cat "$2"
}

plan() {
  rm -f "$out/comment.md"
  { "$terraform" -chdir="$production" init -input=false -no-color &&
    "$terraform" -chdir="$production" plan -input=false -lock=false -no-color -out="$work/plan"; } >"$work/log" 2>&1 || {
    described "The plan for production failed." "$work/log"
    exit 1
  }
  "$terraform" -chdir="$production" show -no-color "$work/plan" >"$work/text"
  headline=$(sed -n 's/^\(Plan: .*\|No changes\..*\)/\1/p' "$work/text" | head -n 1)
  if [ -n "${POLICIES:-}" ]; then
    "$terraform" -chdir="$production" show -json "$work/plan" >"$work/plan.json"
    ${OPA:-opa} eval --format=raw --data "$POLICIES" --input "$work/plan.json" 'concat("\n", sort(data.enms.deny))' >"$work/refused"
    if [ -n "$(cat "$work/refused")" ]; then
      cat "$work/refused" "$work/text" >"$work/log"
      described "Policies refuse this: ${headline:-only outputs change}" "$work/log"
      exit 1
    fi
  fi
  described "For production: ${headline:-only outputs change.}" "$work/text"
}

case ${1:-} in
code | plan) "$1" ;;
*)
  echo "usage: check.sh code|plan" >&2
  exit 1
  ;;
esac
