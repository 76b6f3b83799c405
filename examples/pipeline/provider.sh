#!/bin/sh
# Builds the provider of one commit, and puts it where Terraform finds it; the provider's program
# and the simulator are put into a directory that must be on the PATH.
#
#   pipeline/provider.sh DIRECTORY
#
#   PROVIDER_COMMIT   the whole commit, which you have read
set -eu
case ${PROVIDER_COMMIT:-} in
*[!0-9a-f]* | '') echo "provider: PROVIDER_COMMIT must be a whole commit" >&2 && exit 1 ;;
esac
[ "${#PROVIDER_COMMIT}" -eq 40 ] || { echo "provider: PROVIDER_COMMIT must be a whole commit" >&2 && exit 1; }
source=$(mktemp -d) # of this job alone
trap 'rm -rf "$source"' EXIT
trap 'exit 1' HUP INT TERM
git clone --quiet https://github.com/terraform-provider-enms/terraform-provider-enms "$source"
git -C "$source" checkout --quiet --detach "$PROVIDER_COMMIT"
make -C "$source" install
mkdir -p "$1"
bin=$(cd "$1" && pwd)
go -C "$source" build -o "$bin/terraform-provider-enms" .
go -C "$source" build -o "$bin/enms-simulator" ./internal/simulator/cmd/enms-simulator
