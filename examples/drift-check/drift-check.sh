#!/bin/sh
# Tells whether eNMS is as the configuration in the current directory says. It changes
# nothing. The exit code is that of terraform plan -detailed-exitcode:
#
#   0  eNMS is as configured
#   1  it could not be found out
#   2  eNMS is not as configured
#
# What differs is printed, and written to $DRIFT_OUT/drift.txt and $DRIFT_OUT/drift.json.
# It needs nothing but Terraform; curl, if there is a DRIFT_WEBHOOK.
#
#   TERRAFORM      the program, such as tofu (terraform)
#   DRIFT_OUT      the directory for the two files (the current one)
#   DRIFT_WEBHOOK  a URL that drift.json is posted to when something differs (none)
#
# Further arguments are given to terraform plan, such as -var-file=production.tfvars.
set -eu

terraform=${TERRAFORM:-terraform}
out=$(cd "${DRIFT_OUT:-.}" && pwd)
here=$(cd "$(dirname "$0")" && pwd)

# A plan holds secrets: it is kept where nobody else can read it, and removed.
umask 077
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

status=0
"$terraform" plan -detailed-exitcode -input=false -lock=false -no-color -out="$work/plan" "$@" >"$work/log" || status=$?
if [ "$status" -ne 0 ] && [ "$status" -ne 2 ]; then
  cat "$work/log"
  echo "drift-check: the plan failed" >&2
  exit 1
fi
"$terraform" show -json "$work/plan" >"$work/plan.json" || exit 1

cp "$here/summary/main.tf" "$work/main.tf"
summary() {
  env -u TF_CLI_ARGS -u TF_CLI_ARGS_apply -u TF_WORKSPACE -u TF_DATA_DIR "$terraform" -chdir="$work" "$@"
}
summary apply -auto-approve -input=false -no-color -var=plan=plan.json >"$work/log" || {
  cat "$work/log"
  exit 1
}
umask 022
summary output -raw text >"$out/drift.txt"
summary output -raw json >"$out/drift.json"
cat "$out/drift.txt"
echo

if [ "$status" -eq 2 ] && [ -n "${DRIFT_WEBHOOK:-}" ]; then
  curl --fail --silent --show-error --retry 3 --header 'Content-Type: application/json' \
    --data-binary "@$out/drift.json" --output /dev/null "$DRIFT_WEBHOOK" || exit 1
fi
exit "$status"
