#!/bin/sh
# Exports a development server into the repository, and commits what has changed on a branch of
# its own, with a description for a pull request. Nothing is pushed: forge.sh does that.
#
#   pipeline/capture.sh [options of the first export, such as -modules -workflow "Site check"]
#
# If the branch is there already, it is continued, so that what a person has added to the pull
# request stays. Exit codes: 0, $PIPELINE_OUT/pull-request.md says what has changed; 1, an error;
# 3, nothing has changed.
#
#   ENMS_BASE_URL, ENMS_USERNAME, ENMS_PASSWORD   the development server; a user who can read
#   FETCH_TOKEN      a token that can read the repository, if the clone has kept none
#   ENMS_EXPORT      the provider's program (terraform-provider-enms)
#   TERRAFORM        the program, such as tofu (terraform)
#   CAPTURE_DIR      the directory of the export (dev)
#   CAPTURE_BRANCH   the branch (enms-capture)
#   CAPTURE_BASE     what it is merged into (main)
#   CAPTURE_GONE     what becomes of blocks whose object is gone: delete, removed or keep (delete)
#   PIPELINE_OUT     the directory for files of the pipeline (.pipeline)
set -eu

terraform=${TERRAFORM:-terraform}
export_program=${ENMS_EXPORT:-terraform-provider-enms}
dir=${CAPTURE_DIR:-dev}
branch=${CAPTURE_BRANCH:-enms-capture}
base=${CAPTURE_BASE:-main}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "${PIPELINE_OUT:-.pipeline}"
out=$(cd "${PIPELINE_OUT:-.pipeline}" && pwd)
work=$(mktemp -d)
. "$here/origin.sh"
. "$here/../drift-check/text.sh"
stop_commands
# The branch is never checked out here: what it has of scripts is not run by a next step.
tree=$work/tree
trap 'git worktree remove --force "$tree" 2>/dev/null || true; rm -rf "$work"; resume_commands' EXIT
trap 'exit 1' HUP INT TERM
cp -R "$here/summary" "$work/summary"
rm -f "$out/pull-request.md"
export GIT_AUTHOR_NAME="eNMS capture" GIT_AUTHOR_EMAIL="enms-capture@localhost"
export GIT_COMMITTER_NAME="$GIT_AUTHOR_NAME" GIT_COMMITTER_EMAIL="$GIT_AUTHOR_EMAIL"

fetched "refs/heads/$base" || { echo "capture: $base could not be read" >&2 && exit 1; }
start=$(git rev-parse FETCH_HEAD)
status=0
fetched "refs/heads/$branch" || status=$?
case $status in
0)
  git worktree add --quiet --detach "$tree" FETCH_HEAD
  git -C "$tree" merge --quiet --no-edit "$start" || {
    echo "capture: $branch and $base contradict each other: merge $base into $branch, or delete $branch" >&2
    exit 1
  }
  ;;
2) git worktree add --quiet --detach "$tree" "$start" ;;
*) echo "capture: $branch could not be read" >&2 && exit 1 ;;
esac

"$export_program" export "$@" -gone "${CAPTURE_GONE:-delete}" "$tree/$dir" >"$work/changes.txt"
git -C "$tree" add -- "$dir"
git -C "$tree" diff --cached --quiet || git -C "$tree" commit --quiet --message "What has changed on the development server"
captured=$(git -C "$tree" rev-parse HEAD)
if git diff --quiet "$start" "$captured"; then
  echo "capture: nothing has changed"
  exit 3
fi
git branch --quiet --force "$branch" "$captured"

# What the base and the branch know of the server; a new repository knows nothing.
for file in .enms-export.json report.json; do
  git show "$start:$dir/$file" >"$work/summary/before-$file" 2>/dev/null || echo '{}' >"$work/summary/before-$file"
  cp "$tree/$dir/$file" "$work/summary/after-$file"
done
git diff --stat=100 "$start" "$captured" >"$work/summary/stat.txt"
summary() {
  env -u TF_CLI_ARGS -u TF_CLI_ARGS_apply -u TF_WORKSPACE -u TF_DATA_DIR "$terraform" -chdir="$work/summary" "$@"
}
{ summary init -input=false -no-color && summary apply -auto-approve -input=false -no-color -var=directory=.; } >"$work/log" 2>&1 || {
  cat "$work/log" >&2
  echo "capture: the changes could not be described" >&2
  exit 1
}
summary output -raw markdown >"$out/pull-request.md"
cat "$out/pull-request.md"
