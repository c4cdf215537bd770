import { SCHEMA_FILES } from '../../config/schema-files.js';

/**
 * Folder beside the main file for the schemas of the configuration files. Editors find the schemas there without a
 * server and without a network, in the version of gatehouse that wrote them, and in every copy of the folder.
 */
export const SCHEMA_FOLDER = 'schemas';

/** Returns the comment by which the YAML language server finds the schema of a file. */
export function schemaLine(file: keyof typeof SCHEMA_FILES, folder: string): string {
  return `# yaml-language-server: $schema=${folder}/${SCHEMA_FILES[file]}\n`;
}

/** Name of the adapter that `gatehouse init` writes. */
export const ADAPTER_ID = 'nso1';

/** Base URL of that adapter. Nothing is sent to it while `stub` is true. */
export const ADAPTER_URL = 'https://nso.example:8888';

const YANG_JSON = { 'content-type': 'application/yang-data+json' };

/** Replies of that adapter. The first one names the root of RESTCONF (RFC 8040, section 3.1). */
export const RECORDINGS = [
  {
    request: { method: 'GET', path: '/.well-known/host-meta' },
    reply: {
      status: 200,
      headers: { 'content-type': 'application/xrd+xml' },
      body: '<XRD xmlns="http://docs.oasis-open.org/ns/xri/xrd-1.0"><Link rel="restconf" href="/restconf"/></XRD>',
    },
  },
  {
    request: { method: 'GET', path: '/restconf/data/ietf-interfaces:interfaces' },
    reply: {
      status: 200,
      headers: YANG_JSON,
      json: {
        'ietf-interfaces:interfaces': {
          interface: [
            { name: 'eth0', type: 'iana-if-type:ethernetCsmacd', enabled: true },
            { name: 'eth1', type: 'iana-if-type:ethernetCsmacd', enabled: false },
          ],
        },
      },
    },
  },
  {
    request: { method: 'GET', path: '/restconf/yang-library-version' },
    reply: { status: 200, headers: YANG_JSON, json: { 'ietf-restconf:yang-library-version': '2019-01-04' } },
  },
] as const;

/** Returns the main file of `gatehouse init`. */
export function mainFile(passwordHash: string): string {
  return `${schemaLine('main', SCHEMA_FOLDER)}# Main configuration of gatehouse. Every key is optional, and unknown keys are refused. Paths are relative to this file;
# \${NAME} and \${NAME:-default} insert environment variables. "gatehouse check" lists every fault without starting.

# 1. Listen address. Other machines can connect to 0.0.0.0:3443. The certificate is self-signed: replace it in production.
server:
  listen: 127.0.0.1:3443
  tls: { certFile: tls/cert.pem, keyFile: tls/key.pem }

# 2. Data of this server. A second server needs files of its own, or a PostgreSQL database for several nodes.
storage: { url: 'sqlite:data/gatehouse.db' }
audit: { file: data/audit.log }

auth:
  # 3. People who sign in with a name and a password. "gatehouse hash" makes the hash of another password.
  local:
    keyFile: data/local-issuer.pem
    users:
      - { username: admin, passwordHash: '${passwordHash}', roles: [admin] }
  # 4. An identity provider, whose tokens are accepted as well.
  # issuers:
  #   - issuer: https://idp.example/realms/net
  #     audience: gatehouse
  #     discovery: true
  #     algorithms: [RS256]
  #     rolesClaim: /realm_access/roles
  #     roleMap: { net-admins: admin, net-ops: engineering }

# 5. Vault. Any value may then be a reference, such as $VAULT_adapters/nso1#password in adapters/nso1.yaml.
# vault:
#   address: https://vault.example:8200
#   auth: { method: approle, roleIdFile: /run/vault/role_id, secretIdFile: /run/vault/secret_id }

# 6. Targets of POST /tools/restCall. None is open by default.
# egress:
#   allow: [10.20.0.0/16:443]
`;
}

/** Returns the adapter file of `gatehouse init`. */
export function adapterFile(): string {
  return `${schemaLine('adapter', `../${SCHEMA_FOLDER}`)}# An orchestrator. The file's name is the adapterId. With "stub: true" calls are answered from the recordings, and nothing is
# sent. For a real orchestrator, correct baseUrl, remove stub and recordings, and activate auth (it needs the block vault).
plugin: restconf
baseUrl: ${ADAPTER_URL}
stub: true
recordings: ../recordings
# auth: { type: basic, username: admin, password: $VAULT_adapters/nso1#password }
`;
}

/** Returns the main file of `gatehouse init --production`. It names no value that `gatehouse check --production` refuses. */
export function productionFile(): string {
  return `${schemaLine('main', SCHEMA_FOLDER)}# Configuration of gatehouse in production. Paths are relative to this file; \${NAME} and \${NAME:-default} insert environment
# variables. Replace every address that ends in ".example", then run: gatehouse check --production --probe

server:
  listen: 0.0.0.0:3443
  publicUrl: https://gatehouse.example # the origin that browsers see; the identity provider redirects sign-ins to it
  tls: { certFile: tls/cert.pem, keyFile: tls/key.pem }
  # trustedProxies: [10.20.0.11] # load balancers in front, so that log, audit trail and limits see the clients
  lameDuckSeconds: 5 # /readyz answers 503 for so long before a stop

auth:
  issuers:
    - issuer: https://idp.example/realms/net
      audience: gatehouse
      discovery: true
      algorithms: [RS256]
      # caFile: tls/idp-ca.pem # only if the CA is not a public one
      rolesClaim: /realm_access/roles
      roleMap: { net-admins: admin, net-ops: engineering }
      signIn: { clientId: gatehouse, clientSecret: $VAULT_gatehouse/oidc#secret }
      cli: { clientId: gatehouse-cli } # for "gatehouse login"
  signInSecret: $VAULT_gatehouse/sign-in#key # at least 32 characters; the same on all nodes
  local: { enabled: false, keyFile: data/local-issuer.pem } # no passwords of this server

vault:
  address: https://vault.example:8200
  # tls: { caFile: tls/vault-ca.pem }
  auth: { method: approle, roleIdFile: /run/vault/role_id, secretIdFile: /run/vault/secret_id }
  literals: refuse # a secret in plain text in a file is a fault

# One node. Several nodes share postgres://gatehouse@db.example/gatehouse?sslmode=verify-full, and audit.durability is then store.
storage: { url: 'sqlite:data/gatehouse.db' }
audit: { file: data/audit.log, durability: fsync }

# Who may call what through which adapter. This rule admits everybody with the role of the operation: write your own.
access:
  - { roles: [admin, engineering] }

limits:
  people: { per: subject, requests: 600, concurrent: 20 }

notifications:
  receivers:
    - name: noc
      minSeverity: danger
      mail: { host: mail.example, from: gatehouse@gatehouse.example, to: [noc@gatehouse.example] }
`;
}
