#!/bin/sh
# Speaks to GitHub or GitLab, with a token that no other step needs.
#
#   pipeline/forge.sh comment FILE        one comment on the pull request: written, then updated. If
#                                         the check has ended without a file, the comment says so.
#   pipeline/forge.sh pull-request FILE   pushes the branch of capture.sh, and opens one pull
#                                         request with the text of the file, or updates it
#   pipeline/forge.sh released COMMIT     records what release.sh has brought to production
#
#   FORGE_TOKEN      the token
#   PULL_REQUEST     GitHub: the number of the pull request to comment on. GitLab sets its own.
#   FORGE_AUTHOR     GitHub: who the token speaks as (github-actions[bot]). GitLab says it itself.
#   RELEASED         the tag of the last release that succeeded (enms-production)
#   CAPTURE_BRANCH   the branch (enms-capture)
#   CAPTURE_BASE     what it is merged into (main)
#   TERRAFORM        the program, which reads JSON here (terraform)
#
# All else is in variables that GitHub Actions and GitLab CI set.
set -eu

terraform=${TERRAFORM:-terraform}
branch=${CAPTURE_BRANCH:-enms-capture}
base=${CAPTURE_BASE:-main}
title="What has changed on the development server"
marker='<!-- enms pipeline -->'
. "$(dirname "$0")/origin.sh"

umask 077
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

if [ -n "${GITHUB_ACTIONS:-}" ]; then
  user=x-access-token
  author="it.user.login == \"${FORGE_AUTHOR:-github-actions[bot]}\""
  echo "Authorization: Bearer $FORGE_TOKEN" >"$work/header"
  api=$GITHUB_API_URL/repos/$GITHUB_REPOSITORY
  comments=$api/issues/${PULL_REQUEST:-}/comments comment=$api/issues/comments
  requests=$api/pulls
  search="$requests?state=open&base=$base&head=${GITHUB_REPOSITORY%%/*}:$branch"
  key=number text=body head=head into=base update=PATCH
else
  user=oauth2
  author='it.author.id == jsondecode(file("me.json")).id'
  echo "PRIVATE-TOKEN: $FORGE_TOKEN" >"$work/header"
  api=$CI_API_V4_URL/projects/$CI_PROJECT_ID
  requests=$api/merge_requests
  comments=$requests/${CI_MERGE_REQUEST_IID:-}/notes comment=$comments
  search="$requests?state=opened&target_branch=$base&source_branch=$branch"
  key=iid text=description head=source_branch into=target_branch update=PUT
fi

# call METHOD URL [FILE] sends JSON and prints the response.
call() {
  curl --silent --show-error --fail-with-body --header "@$work/header" --header 'Content-Type: application/json' \
    --request "$1" ${3:+--data-binary "@$3"} "$2"
}

# string prints a file as a JSON string.
string() {
  printf '"'
  tr -d '\000-\010\013-\037' <"$1" | sed 's/\\/\\\\/g; s/"/\\"/g; s/	/\\t/g' | awk '{ printf "%s\\n", $0 }'
  printf '"'
}

# first prints a member of the first object that meets a condition in a list, which is read from
# the standard input.
first() {
  cat >"$work/list.json"
  echo "try([for it in jsondecode(file(\"list.json\")) : it.$1 if $2][0], \"\")" | "$terraform" -chdir="$work" console | tr -d '"'
}

comment() {
  echo "$marker" >"$work/text"
  if [ -f "$1" ] && [ ! -L "$1" ]; then # a branch may have written it, and a link could lead to the token
    cat "$1" >>"$work/text"
  else
    echo "**There is no plan for production.** The log of the check says why." >>"$work/text"
  fi
  { printf '{"body":' && string "$work/text" && printf '}'; } >"$work/body"
  # Anybody can write the marker: only a comment of one's own is updated.
  [ -n "${GITHUB_ACTIONS:-}" ] || call GET "$CI_API_V4_URL/user" >"$work/me.json"
  id=
  page=1
  while [ -z "$id" ]; do
    call GET "$comments?per_page=100&page=$page" >"$work/page.json"
    id=$(first id "startswith(it.body, \"$marker\") && $author" <"$work/page.json")
    more=$(echo 'length(jsondecode(file("page.json")))' | "$terraform" -chdir="$work" console)
    [ "$more" -eq 100 ] || break
    page=$((page + 1))
  done
  if [ -n "$id" ]; then
    call "$update" "$comment/$id" "$work/body" >/dev/null
  else
    call POST "$comments" "$work/body" >/dev/null
  fi
}

push() {
  authorized "$user:$FORGE_TOKEN" push --quiet "$@"
}

pull_request() {
  push origin "refs/heads/$branch:refs/heads/$branch"
  { printf '{"title":"%s","%s":"%s","%s":"%s","%s":' "$title" "$head" "$branch" "$into" "$base" "$text" && string "$1" && printf '}'; } >"$work/new"
  { printf '{"%s":' "$text" && string "$1" && printf '}'; } >"$work/body"
  number=$(call GET "$search" | first "$key" true)
  if [ -n "$number" ]; then
    call "$update" "$requests/$number" "$work/body" >/dev/null
  else
    call POST "$requests" "$work/new" >/dev/null
  fi
}

case ${1:-}:${2:+file} in
comment:file) comment "$2" ;;
pull-request:file) pull_request "$2" ;;
released:file) push --force origin "$2:refs/tags/${RELEASED:-enms-production}" ;;
*)
  echo "usage: forge.sh comment|pull-request FILE, or forge.sh released COMMIT" >&2
  exit 1
  ;;
esac
