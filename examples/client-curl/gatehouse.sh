#!/usr/bin/env bash
# Calls an orchestrator through gatehouse, with curl and jq.
#
#   GATEHOUSE_URL=https://localhost:3443 CLIENT_ID=... CLIENT_SECRET=... ./gatehouse.sh ADAPTER PATH
set -euo pipefail

url=${GATEHOUSE_URL:-https://localhost:3443}
adapter=$1
path=$2
file=$(mktemp)
trap 'rm -f "$file"' EXIT

# curl repeats a request after 429 and 503, as long as Retry-After says. A private CA: the PEM file of its certificate.
options=(--no-progress-meter --retry 3 --max-time 60 ${GATEHOUSE_CA:+--cacert "$GATEHOUSE_CA"})

# Secrets go to curl by standard input, so that the list of processes does not show them.
sign_in() {
  printf 'user = "%s:%s"' "$CLIENT_ID" "$CLIENT_SECRET" |
    curl -K - "${options[@]}" --fail "$url/oauth/token" -d grant_type=client_credentials | jq -r .access_token
}

# Sends a request to a path with more options of curl. Prints the body, and returns 1 for a problem. Of a repeated request, the file has
# only the last reply.
call() {
  local status
  status=$(printf 'header = "Authorization: Bearer %s"' "$token" |
    curl -K - "${options[@]}" --output "$file" --write-out '%{http_code}' "$url$1" "${@:2}")
  cat "$file"
  [ "$status" -lt 400 ]
}

# Reads a path of an orchestrator.
rest_query() {
  local body
  body=$(jq -nc --arg path "$2" '{params: {path: $path, accept: "application/json"}}')
  call "/orchestrator_manager/restQuery/$1" -H 'Content-Type: application/json' -d "$body"
}

token=${GATEHOUSE_TOKEN:-$(sign_in)}
echo "adapters: $(call /adapters | jq -r '[.results[].data.name] | join(" ")')"
echo "reply: $(rest_query "$adapter" "$path")"
if ! problem=$(rest_query missing "$path"); then
  echo "problem: $(jq -r '"\(.status) \(.code)"' <<< "$problem")"
fi
