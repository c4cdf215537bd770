#!/bin/sh
# Prepares OpenBao for gatehouse: initializes and unseals it, and creates a KV engine, a policy, an AppRole and a secret. It may run again.
# BAO_ADDR is the address of OpenBao.
set -eu
umask 077
state=${STATE:-/state}
credentials=${CREDENTIALS:-/credentials}

# "bao status" ends with 2 while OpenBao is sealed.
until bao status > /dev/null 2>&1 || [ $? -eq 2 ]; do sleep 1; done

if [ ! -s "$state/init" ]; then
  bao operator init -key-shares=1 -key-threshold=1 > "$state/init"
fi
sed -n 's/^Unseal Key 1: //p' "$state/init" | tr -d '\n' | bao write -format=json sys/unseal key=- > /dev/null
BAO_TOKEN=$(sed -n 's/^Initial Root Token: //p' "$state/init")
export BAO_TOKEN
until bao secrets list > /dev/null 2>&1; do sleep 1; done

bao secrets list | grep -q '^secret/' || bao secrets enable -path=secret -version=2 kv
bao auth list | grep -q '^approle/' || bao auth enable approle
bao policy write gatehouse - << 'END'
path "secret/data/adapters/*" {
  capabilities = ["read"]
}
END
bao write auth/approle/role/gatehouse token_policies=gatehouse token_ttl=20m token_period=20m

if [ ! -s "$credentials/orchestrator_password" ]; then
  head -c 24 /dev/urandom | base64 | tr -d '\n' > "$credentials/orchestrator_password"
fi
bao kv put -mount=secret adapters/devices "password=@$credentials/orchestrator_password"
bao read -field=role_id auth/approle/role/gatehouse/role-id > "$credentials/role_id"
bao write -f -field=secret_id auth/approle/role/gatehouse/secret-id > "$credentials/secret_id"

if [ -n "${OWNER:-}" ]; then
  chown -R "$OWNER" "$credentials"
fi
echo "OpenBao is ready."
