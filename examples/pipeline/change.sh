#!/bin/sh
# Says whether a change may be made to production now. release.sh runs it after the approval, just before it applies.
#
#   pipeline/change.sh COMMIT DIGEST [back]
#
# Without settings, every change may be made at any time. Exit codes: 0, it may; 1, it may not, and the last line says
# why.
#
#   CHANGE_PATTERN   what the number of a change looks like, as an extended regular expression, such as CHG[0-9]{7}.
#                    The number is in the message of the commit, on a line of its own: "Change: CHG0012345" (none is
#                    needed)
#   CHANGE           the number, if the message has none, as when going back
#   CHANGE_WINDOWS   when releases may begin: days and times, such as "Sat,Sun 22:00-04:00; Wed 06:00-07:30". A window
#                    that ends on the next day belongs to the day on which it begins (always)
#   CHANGE_ZONE      the time zone of the windows, such as Europe/Berlin (UTC)
#   CHANGE_NOW       a time to try the windows with, in place of now, such as "Sat 23:15"
#   CHANGE_URL       what is asked, by a POST with the number, the commit, the digest of the plan and whether it goes
#                    back. It must respond with the JSON {"approved": true}, or with {"approved": false, "reason": "..."}
#   CHANGE_TOKEN     is sent to CHANGE_URL as a bearer token
#   TERRAFORM        the program, which reads and writes JSON here (terraform)
#
# Going back does not wait for a window.
set -eu

terraform=${TERRAFORM:-terraform}
commit=${1:-} digest=${2:-} back=${3:-}
[ -n "$digest" ] || { echo "usage: change.sh COMMIT DIGEST [back]" >&2 && exit 1; }

refuse() {
  echo "change: $1" >&2
  exit 1
}

number=${CHANGE:-}
if [ -n "${CHANGE_PATTERN:-}" ]; then
  [ -n "$number" ] || number=$(git log -1 --format='%(trailers:key=Change,valueonly)' "$commit" | sed '/^$/d' | tail -n 1)
  [ -n "$number" ] || refuse "the message of the commit $commit has no line \"Change: NUMBER\""
  printf '%s\n' "$number" | grep -Eqx -- "$CHANGE_PATTERN" || refuse "the change does not have a number like $CHANGE_PATTERN"
fi

# minutes prints the minutes since midnight of a time such as 06:30.
minutes() {
  case $1 in
  [01][0-9]:[0-5][0-9] | 2[0-3]:[0-5][0-9] | 24:00) ;;
  *) refuse "CHANGE_WINDOWS and CHANGE_NOW: \"$1\" is not a time such as 06:30" ;;
  esac
  hours=${1%:*} rest=${1#*:}
  echo $((${hours#0} * 60 + ${rest#0}))
}

# before prints the day before another one.
before() {
  case $1 in
  Mon) echo Sun ;; Tue) echo Mon ;; Wed) echo Tue ;; Thu) echo Wed ;; Fri) echo Thu ;; Sat) echo Fri ;; Sun) echo Sat ;;
  *) refuse "CHANGE_WINDOWS and CHANGE_NOW: \"$1\" is not a day such as Mon" ;;
  esac
}

# opens says whether a window, its days and its times, is open on a day at a minute.
opens() {
  from=$(minutes "${2%-*}") && to=$(minutes "${2#*-}") || exit 1
  for of in $(printf '%s' "$1" | tr ',' ' '); do
    yesterday=$(before "$3") && before "$of" >/dev/null || exit 1
    if [ "$from" -lt "$to" ]; then
      [ "$of" != "$3" ] || [ "$4" -lt "$from" ] || [ "$4" -ge "$to" ] || return 0
    else
      [ "$of" != "$3" ] || [ "$4" -lt "$from" ] || return 0
      [ "$of" != "$yesterday" ] || [ "$4" -ge "$to" ] || return 0
    fi
  done
  return 1
}

if [ -n "${CHANGE_WINDOWS:-}" ] && [ "$back" != back ]; then
  now=${CHANGE_NOW:-$(LC_ALL=C TZ=${CHANGE_ZONE:-UTC} date '+%a %H:%M')}
  at=$(minutes "${now#* }") || exit 1
  open=
  set -f # no window is a pattern of files
  old_ifs=$IFS
  IFS=';'
  for window in $CHANGE_WINDOWS; do
    IFS=$old_ifs
    set -- $window
    [ $# -eq 2 ] || refuse "CHANGE_WINDOWS: \"$window\" is not days and times such as Sat,Sun 22:00-04:00"
    if opens "$1" "$2" "${now% *}" "$at"; then open=yes; fi
  done
  IFS=$old_ifs
  [ -n "$open" ] || refuse "it is $now, and no window is open: $CHANGE_WINDOWS (${CHANGE_ZONE:-UTC})"
fi

if [ -n "${CHANGE_URL:-}" ]; then
  umask 077
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  trap 'exit 1' HUP INT TERM
  printf '%s' "$number" >"$work/number"
  echo "base64encode(jsonencode({ change = file(\"number\"), commit = \"$commit\", digest = \"$digest\", back = \"$back\" == \"back\" }))" |
    "$terraform" -chdir="$work" console | tr -d '"' | base64 -d >"$work/question"
  printf 'Authorization: Bearer %s\n' "${CHANGE_TOKEN:-}" >"$work/header"
  curl --silent --show-error --fail-with-body --max-time 60 --header "@$work/header" --header 'Content-Type: application/json' \
    --data-binary "@$work/question" --output "$work/answer.json" "$CHANGE_URL" ||
    refuse "$CHANGE_URL could not be asked, or refused the question"
  answer=$(echo 'try(jsondecode(file("answer.json")).approved, false) == true ? "yes" : try("no: ${jsondecode(file("answer.json")).reason}", "no")' |
    "$terraform" -chdir="$work" console)
  [ "$answer" = '"yes"' ] || refuse "${number:-the change} is not approved: $(printf '%s' "$answer" | tr -d '\n' | cut -c 1-300)"
fi
