#!/bin/sh
# Runs a command with secrets of HashiCorp Vault, or of OpenBao, in its environment:
#
#   VAULT_ADDR=https://vault.example.com VAULT_TOKEN=... ./vault.sh terraform apply
#
# It needs curl, and a token that may read the secrets and their metadata. No secret is written to
# a file, or shown in the list of processes.
#
#   VAULT_NAMES  the names of the secrets (those of main.tf: "backup console")
#   VAULT_MOUNT  the secrets engine, KV version 2 (secret)
#   VAULT_PATH   the path of the secrets in it (enms)
set -eu

# The token is a line of standard input, because others see the arguments of a program.
ask() {
  printf 'X-Vault-Token: %s\n' "$VAULT_TOKEN" | curl -sS --fail -H @- "${VAULT_ADDR%/}/v1/${VAULT_MOUNT:-secret}/$1/${VAULT_PATH:-enms}/$2"
}

secrets='' versions='' comma=''
for name in ${VAULT_NAMES:-backup console}; do
  # The version comes first: if the secret is changed meanwhile, the next run sends it once more.
  version=$(ask metadata "$name" | sed -n 's/.*"current_version": *\([0-9][0-9]*\).*/\1/p')
  [ -n "$version" ] || { echo "vault.sh: Vault shows no version of $name." >&2; exit 1; }
  secret=$(ask data "$name")
  versions="$versions$comma\"$name\":$version"
  secrets="$secrets$comma\"$name\":$secret"
  comma=,
done

export TF_VAR_vault_versions="{$versions}" TF_VAR_vault_secrets="{$secrets}"
unset VAULT_TOKEN
exec "$@"
