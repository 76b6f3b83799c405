#!/bin/sh
# Tells whether eNMS is as the configuration in the current directory says. It changes
# nothing. The exit code is that of terraform plan -detailed-exitcode:
#
#   0  eNMS is as configured
#   1  it could not be found out
#   2  eNMS is not as configured
#
# What differs is printed, and written to $DRIFT_OUT/drift.txt, to $DRIFT_OUT/drift.json, and
# with the diagrams of workflows to $DRIFT_OUT/drift.md.
# It needs nothing but Terraform; curl, if there is a DRIFT_WEBHOOK. Who wrote an instance last,
# and when, is told if the settings of the provider are in the environment.
#
#   TERRAFORM      the program, such as tofu (terraform)
#   DRIFT_OUT      the directory for the files (the current one)
#   DRIFT_WEBHOOK  a URL that drift.json is posted to when something differs, and a text
#                  when it could not be found out (none)
#
#   DRIFT_TERRAFORM_USER
#                  the user of eNMS who applies the configuration ($ENMS_USERNAME)
#
# Further arguments are given to terraform plan, such as -var-file=production.tfvars.
set -eu

terraform=${TERRAFORM:-terraform}
out=$(cd "${DRIFT_OUT:-.}" && pwd)
here=$(cd "$(dirname "$0")" && pwd)

# What an earlier run has found is no answer to this one.
rm -f "$out/drift.txt" "$out/drift.json" "$out/drift.md"

# A plan holds secrets: it is kept where nobody else can read it, and removed.
umask 077
work=$(mktemp -d)
. "$here/text.sh"
stop_commands
trap 'resume_commands; rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# post sends a file to the webhook, if there is one.
post() {
  [ -z "${DRIFT_WEBHOOK:-}" ] || curl --fail --silent --show-error --retry 3 \
    --header 'Content-Type: application/json' --data-binary "@$1" --output /dev/null "$DRIFT_WEBHOOK"
}

# failed says what went wrong, and ends. The webhook is told the summary of Terraform's
# first error, without what it quotes, which may be sensitive.
failed() {
  cat "$work/log"
  echo "drift-check: $1" >&2
  reason=$(sed -n 's/"[^"]*"/…/g; s/^[^A-Za-z]*Error: //p' "$work/log" | head -n 1 | tr -d '\000-\037\134"')
  printf '{"drift":null,"instances":[],"outputs":[],"text":"It could not be found out whether eNMS is as configured: %s%s"}' \
    "$1" "${reason:+: $reason}" >"$work/failure.json"
  post "$work/failure.json" || true
  exit 1
}

status=0
"$terraform" plan -detailed-exitcode -input=false -lock=false -no-color -out="$work/plan" "$@" >"$work/log" 2>&1 || status=$?
case $status in
0 | 2) ;;
*) failed "the plan failed" ;;
esac
"$terraform" show -json "$work/plan" >"$work/plan.json" 2>"$work/log" || failed "the plan could not be read"

# within runs Terraform in a directory of its own.
within() {
  dir=$1
  shift
  env -u TF_CLI_ARGS -u TF_CLI_ARGS_init -u TF_CLI_ARGS_apply -u TF_WORKSPACE -u TF_DATA_DIR "$terraform" -chdir="$dir" "$@"
}

# Who wrote what differs is asked of eNMS with the provider that has made the plan. A summary
# without that is better than none.
cp -R "$here/authors" "$work/authors"
installed=$(cd "${TF_DATA_DIR:-.terraform}/providers" 2>/dev/null && pwd) || installed=
[ "$status" -eq 2 ] &&
  { [ -z "$installed" ] || within "$work/authors" init -input=false -no-color -plugin-dir="$installed"; } >"$work/log" 2>&1 &&
  within "$work/authors" apply -auto-approve -input=false -no-color -var=plan=../plan.json -var="terraform_user=${DRIFT_TERRAFORM_USER:-${ENMS_USERNAME:-}}" >"$work/log" 2>&1 &&
  within "$work/authors" output -raw authors >"$work/authors.json" 2>"$work/log" ||
  echo '{}' >"$work/authors.json"

cp "$here/summary/main.tf" "$work/main.tf"
summary() {
  within "$work" "$@"
}
summary apply -auto-approve -input=false -no-color -var=plan=plan.json -var=authors=authors.json >"$work/log" 2>&1 || failed "there is no summary of the plan"
umask 022
summary output -raw text >"$out/drift.txt"
summary output -raw json >"$out/drift.json"
summary output -raw markdown >"$out/drift.md"
cat "$out/drift.txt"
echo

if [ "$status" -eq 2 ]; then
  post "$out/drift.json" || {
    echo "drift-check: the webhook did not take this" >&2
    exit 1
  }
fi
exit "$status"
