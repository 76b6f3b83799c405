#!/bin/sh
# Brings the merged tree to production, in two steps between which a person approves.
#
#   pipeline/release.sh plan           plans from the merged tree. $PIPELINE_OUT/release.md shows
#                                      the plan, $PIPELINE_OUT/digest has its digest.
#   pipeline/release.sh apply DIGEST   plans again, and applies that plan if it has the digest
#                                      which was approved. Then runs a service as a test.
#
# With `back` as a last argument, both steps do this with the configuration of the last release
# that succeeded, which `forge.sh released` has recorded. Nothing goes back by itself.
#
# Exit codes: 0, done; 1, nothing was applied; 3, nothing was applied, because the plan of now
# is not the approved one; 4, the apply or the smoke run failed, or was interrupted; 5, nothing was
# applied, because change.sh, whose settings these are, too, does not allow the change now.
#
#   ENMS_BASE_URL, ENMS_USERNAME, ENMS_PASSWORD   production; apply needs a user who can write
#   FETCH_TOKEN      a token that can read the repository, if the clone has kept none
#   SMOKE            an action of the configuration, such as action.enms_run_service.smoke, which
#                    needs Terraform 1.14 (none)
#   RELEASED         the tag of the last release that succeeded (enms-production)
#   TERRAFORM        the program, such as tofu (terraform)
#   PRODUCTION       the directory of production (prod)
#   PIPELINE_OUT     the directory for files of the pipeline (.pipeline)
set -eu

terraform=${TERRAFORM:-terraform}
released=${RELEASED:-enms-production}
mkdir -p "${PIPELINE_OUT:-.pipeline}"
out=$(cd "${PIPELINE_OUT:-.pipeline}" && pwd)
. "$(dirname "$0")/origin.sh"
. "$(dirname "$0")/../drift-check/text.sh"

approved=
case ${1:-} in
plan) back=${2:-} ;;
apply)
  approved=${2:-} back=${3:-}
  [ -n "$approved" ] || back=wrong
  ;;
*) back=wrong ;;
esac
case $back in
'' | back) ;;
*)
  echo "usage: release.sh plan [back] | release.sh apply DIGEST [back]" >&2
  exit 1
  ;;
esac

umask 077
work=$(mktemp -d)
stop_commands
trap 'git worktree remove --force "$work/tree" 2>/dev/null || true; rm -rf "$work"; resume_commands' EXIT
trap 'exit 1' HUP INT TERM

# The tag is what origin has now, and not what a clone has kept. What is checked out must contain
# it: an older run that is approved late would undo what came after it, and a tag that somebody has
# moved to a commit that was never merged would bring that to production.
commit=$(git rev-parse HEAD)
last=
status=0
fetched "refs/tags/$released" || status=$?
case $status in
0) last=$(git rev-parse 'FETCH_HEAD^{commit}') ;;
2) ;;
*) echo "release: the last release could not be read" >&2 && exit 1 ;;
esac
if [ -n "$last" ] && ! git merge-base --is-ancestor "$last" "$commit"; then
  echo "release: $commit does not contain the last release, $last" >&2
  exit 1
fi
if [ -n "$back" ]; then
  [ -n "$last" ] || { echo "release: no release has been recorded: there is no way back" >&2 && exit 1; }
  commit=$last
fi
git worktree add --quiet --detach "$work/tree" "$commit"
production=$work/tree/${PRODUCTION:-prod}

lock=-lock-timeout=5m
if [ "$1" = plan ]; then
  lock=-lock=false # its user cannot write to a state either, and what it shows is planned again
fi

# The digest is of the files and of what the plan found and does, as canonical JSON.
{
  "$terraform" -chdir="$production" init -input=false -no-color &&
    "$terraform" -chdir="$production" plan -input=false -no-color "$lock" -out="$work/plan" &&
    "$terraform" -chdir="$production" show -no-color "$work/plan" >"$work/text" &&
    "$terraform" -chdir="$production" show -json "$work/plan" >"$work/show.json"
} >"$work/log" 2>&1 || {
  cat "$work/log" >&2
  echo "release: the plan failed; nothing was applied" >&2
  exit 1
}
now=$({
  git rev-parse "$commit^{tree}"
  echo 'sha256(jsonencode([for part in ["resource_changes", "resource_drift", "output_changes", "action_invocations"] : try(jsondecode(file("show.json"))[part], [])]))' |
    "$terraform" -chdir="$work" console
} | digest)
cat "$work/text"

if [ "$1" = plan ]; then
  echo "$now" >"$out/digest"
  {
    echo "The plan for production, of the commit $commit:"
    echo
    fenced "$work/text"
    echo
    echo "Digest of the text: $(digest <"$work/text")"
  } >"$out/release.md"
  exit
fi

if [ "$now" != "$approved" ]; then
  echo "release: above is the plan of now, which is not the approved one; nothing was applied: plan again" >&2
  exit 3
fi

"$(dirname "$0")/change.sh" "$commit" "$now" ${back:+"$back"} || {
  echo "release: nothing was applied" >&2
  exit 5
}

# failed says what is so, which is not more than what is known.
failed() {
  echo "release: $1: production may have a part of $commit or all of it, and another plan tells which" >&2
  echo "release: the last release that succeeded is ${last:-not recorded}; to go back to it, ask for \`back\`" >&2
  exit 4
}
trap 'failed "the release was interrupted"' HUP INT TERM
"$terraform" -chdir="$production" apply -input=false -no-color -lock-timeout=5m "$work/plan" || failed "the apply failed"
[ -z "${SMOKE:-}" ] || "$terraform" -chdir="$production" apply -input=false -no-color -auto-approve -invoke="$SMOKE" ||
  failed "the smoke run failed"
echo "$commit" >"$out/released"
if [ -n "$back" ]; then
  echo "release: production is as the last release, $commit"
else
  echo "release: production is as merged"
fi
