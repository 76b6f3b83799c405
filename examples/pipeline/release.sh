#!/bin/sh
# Brings to production what was reviewed: applies the plan that check.sh has saved, if production
# and the repository are still as they were then, and runs a service to see that all works. If
# something fails, the configuration of the commit before is applied.
#
# Exit codes: 0, production is as merged; 1, nothing was applied; 3, nothing was applied, because
# a plan of now differs from the one that was reviewed; 4, it failed, and production is as
# before; 5, it failed, and so did the way back.
#
#   ENMS_BASE_URL, ENMS_USERNAME, ENMS_PASSWORD   production, with a user who can write
#   PLAN_KEY         the secret that check.sh had
#   SMOKE            an action of the configuration, such as action.enms_run_service.smoke, which
#                    needs Terraform 1.14 (none)
#   RELEASE_BEFORE   the commit to go back to (HEAD^, which is what the merge was into)
#   TERRAFORM        the program, such as tofu (terraform)
#   PRODUCTION       the directory of production (prod)
#   PIPELINE_OUT     the directory with plan.gpg (.pipeline)
set -eu

terraform=${TERRAFORM:-terraform}
production=${PRODUCTION:-prod}
out=${PIPELINE_OUT:-.pipeline}

umask 077
work=$(mktemp -d)
trap 'git worktree remove --force "$work/before" 2>/dev/null || true; rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# effect prints a digest of what a plan does and of what it found.
effect() {
  "$terraform" -chdir="$production" show -json "$1" >"$work/show.json"
  echo 'sha256(jsonencode([for part in ["resource_changes", "resource_drift", "output_changes"] : try(jsondecode(file("show.json"))[part], [])]))' |
    "$terraform" -chdir="$work" console
}

smoke() {
  [ -z "${SMOKE:-}" ] || "$terraform" -chdir="$1" apply -input=false -no-color -auto-approve -invoke="$SMOKE"
}

# back applies the configuration of the commit before.
back() {
  echo "release: $1: the configuration of ${RELEASE_BEFORE:-HEAD^} is applied" >&2
  if git worktree add --quiet --detach "$work/before" "${RELEASE_BEFORE:-HEAD^}" &&
    "$terraform" -chdir="$work/before/$production" init -input=false -no-color &&
    "$terraform" -chdir="$work/before/$production" apply -input=false -no-color -auto-approve -lock-timeout=5m &&
    smoke "$work/before/$production"; then
    echo "release: production is as before" >&2
    exit 4
  fi
  echo "release: THE WAY BACK FAILED: production is neither as before nor as merged" >&2
  exit 5
}

mkdir "$work/gnupg"
printf '%s' "$PLAN_KEY" | GNUPGHOME="$work/gnupg" gpg --batch --quiet --pinentry-mode loopback --passphrase-fd 0 \
  --decrypt --output "$work/reviewed" "$out/plan.gpg" || {
  echo "release: there is no reviewed plan of this tree: check it again" >&2
  exit 1
}
"$terraform" -chdir="$production" init -input=false -no-color
"$terraform" -chdir="$production" plan -input=false -no-color -lock-timeout=5m -out="$work/now" >"$work/log" 2>&1 || {
  cat "$work/log" >&2
  exit 1
}
reviewed=$(effect "$work/reviewed")
now=$(effect "$work/now")
if [ "$reviewed" != "$now" ]; then
  cat "$work/log"
  echo "release: production or the repository has changed since the review; above is the plan of now: check it again" >&2
  exit 3
fi
{ "$terraform" -chdir="$production" apply -input=false -no-color -lock-timeout=5m "$work/reviewed" 2>&1 || touch "$work/failed"; } | tee "$work/log"
if grep -q "Saved plan is stale" "$work/log"; then
  echo "release: the state has changed since the review: check it again" >&2
  exit 3
fi
[ ! -e "$work/failed" ] || back "the apply failed"
smoke "$production" || back "the smoke run failed"
echo "release: production is as merged"
