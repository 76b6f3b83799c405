# Functions for git with a token. capture.sh, release.sh and forge.sh read this file.

# The token is not in the environment of what the scripts run.
fetch_login=${FETCH_TOKEN:+x-access-token:$FETCH_TOKEN}
unset FETCH_TOKEN

# authorized runs git with USER:TOKEN for origin, or as the clone does if that is empty. The token is in
# no file and no argument, and hooks of the clone do not run beside it.
authorized() {
  login=$1
  shift
  if [ -z "$login" ]; then
    git "$@"
  else
    GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=http.extraHeader \
      GIT_CONFIG_VALUE_0="Authorization: Basic $(printf '%s' "$login" | base64 | tr -d '\n')" \
      git -c core.hooksPath=/dev/null "$@"
  fi
}

# fetched fetches a ref as origin has it now. It ends with 2 if there is none, and with another code if
# origin was not reached.
fetched() {
  authorized "$fetch_login" ls-remote --quiet --exit-code origin "$1" >/dev/null || return
  authorized "$fetch_login" fetch --quiet origin "$1" || return 1
}
