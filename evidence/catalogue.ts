/**
 * A kind of attack or failure, and its checks other than the tests whose titles begin with its id and the
 * groups that list it.
 */
interface CatalogueRow {
  readonly what: string;
  /** Files below `test/`. */
  readonly tests?: readonly string[];
  /** Part that is not checked, and the reason. */
  readonly open?: string;
}

const LONG = 'only the short form';

/** All rows, by their ids. */
export const CATALOGUE: Readonly<Record<string, CatalogueRow>> = {
  J1: { what: 'algorithms: none, confused, or not of the issuer', tests: ['auth/verifier.test.ts'] },
  J2: { what: 'keys that a token names or contains', tests: ['auth/verifier.test.ts', 'auth/jwks.test.ts'] },
  J3: { what: 'headers that change how a token is parsed', tests: ['auth/token.test.ts'] },
  J4: { what: 'times of validity', tests: ['auth/claims.test.ts'] },
  J5: { what: 'audience and issuer', tests: ['auth/verifier.test.ts'] },
  J6: { what: 'roles', tests: ['auth/claims.test.ts', 'e2e/roles.test.ts'] },
  J7: { what: 'encodings of one token', tests: ['auth/token.test.ts', 'auth/token-fuzz.test.ts'] },
  J8: { what: 'places of a token in a request', tests: ['auth/extract-credentials.test.ts'] },
  J9: {
    what: 'published keys: rotation, outages, floods of unknown key ids',
    tests: ['auth/jwks.test.ts', 'auth/jwk.test.ts'],
  },
  J10: { what: 'valid tokens, changed at random', tests: ['auth/token-fuzz.test.ts'] },
  J11: {
    what: 'the same reply for all causes, in the same time',
    tests: ['auth/verifier.test.ts', 'http/pipeline.test.ts'],
    open: 'the times are measured without a limit: a refusal after the check of the signature takes longer',
  },
  J12: {
    what: 'roles and keys that a reload removes',
    tests: ['e2e/key-rotation.test.ts', 'auth/token-cache.test.ts'],
  },
  S1: { what: 'spellings of forbidden hosts', tests: ['upstream/egress-caller.test.ts'] },
  S2: { what: 'the class of every address', tests: ['upstream/address.test.ts'] },
  S3: { what: 'DNS rebinding', tests: ['upstream/egress-caller.test.ts'] },
  S4: { what: 'redirects', tests: ['upstream/egress-caller.test.ts'] },
  S5: { what: 'headers of callers', tests: ['upstream/caller-headers.test.ts'] },
  S6: { what: 'characters of the URI', tests: ['upstream/egress-uri.test.ts'] },
  S7: {
    what: 'malicious replies',
    tests: ['upstream/hostile-replies.test.ts', 'upstream/client-tls.test.ts'],
  },
  S8: {
    what: 'a thousand calls to an address without replies',
    tests: ['upstream/policy/queue.test.ts'],
    open: LONG,
  },
  S9: {
    what: 'replies of orchestrators inside our replies',
    tests: [
      ...['e2e/action-replies.test.ts', 'features/orchestrator/action-bodies.test.ts'],
      'http/proxy-handler.test.ts',
    ],
  },
  S10: { what: 'credentials of callers', tests: ['upstream/egress-caller.test.ts', 'e2e/canary.test.ts'] },
  P1: { what: 'path traversal', tests: ['upstream/target.test.ts'] },
  P2: { what: 'legitimate paths', tests: ['upstream/target.test.ts'] },
  P3: { what: 'generated paths, read by six parsers', tests: ['upstream/target.test.ts'] },
  P4: { what: 'test URLs of the URL standard as paths' },
  P5: {
    what: 'names of adapters, and media types',
    tests: ['features/orchestrator/execute-call.test.ts', 'e2e/adapters.test.ts'],
  },
  P6: {
    what: 'the bytes that reach the orchestrator',
    tests: ['upstream/client.test.ts', 'e2e/canary.test.ts'],
  },
  P7: {
    what: 'confinement of the paths of plugins',
    tests: ['plugins/contract.test.ts', 'upstream/open-upstream.test.ts'],
  },
  H1: { what: 'request smuggling', tests: ['http/malformed-requests.test.ts'] },
  H2: { what: 'conformance to RFC 9112', tests: ['http/malformed-requests.test.ts', 'http/server.test.ts'] },
  H3: { what: 'slow clients', tests: ['http/server.test.ts', 'http/drain-request.test.ts'] },
  H4: { what: 'limits of a request', tests: ['http/contract.test.ts', 'http/target.test.ts'] },
  H5: { what: 'JSON that parsers read differently', tests: ['json/strict-json.test.ts'] },
  H6: {
    what: 'prototype pollution',
    tests: ['http/express-app.test.ts', 'features/forms/forms.test.ts', 'config/load.test.ts'],
    open: 'not with frozen intrinsics',
  },
  H7: {
    what: 'floods of header names and JSON keys',
    tests: ['json/strict-json.test.ts', 'http/malformed-requests.test.ts', 'e2e/body-values.test.ts'],
    open: LONG,
  },
  H8: { what: 'other spellings of routes', tests: ['http/routes.test.ts', 'e2e/roles.test.ts'] },
  H9: { what: 'headers and bodies of responses', tests: ['http/contract.test.ts', 'http/pipeline.test.ts'] },
  H10: {
    what: 'the management API',
    tests: ['e2e/roles.test.ts'],
    open: 'one listener for all operations; only roles separate them',
  },
  F1: { what: 'regular expressions', tests: ['json-schema/engine/ecma-pattern.test.ts'] },
  F2: { what: 'schema bombs', tests: ['json-schema/validator-pool/schema-bombs.test.ts'] },
  F3: { what: 'YANG bombs', tests: ['yang/bombs.test.ts'] },
  F4: { what: 'parsers with generated input' },
  F5: { what: 'members that only the server sets, and races for a name' },
  F6: { what: 'SQL injection', tests: ['storage/statements.test.ts'] },
  F7: { what: 'stores compared with a model', tests: ['storage/stores.test.ts'] },
  D1: { what: 'kill -9', tests: ['storage/crashes.test.ts'] },
  D2: { what: 'power failure', tests: ['storage/power-loss.test.ts'] },
  D3: {
    what: 'failing system calls',
    tests: ['storage/device-fault.test.ts'],
    open: 'not the calls with which Node.js waits for events: their failure ends the process',
  },
  D4: {
    what: 'a full or read-only disk',
    tests: ['features/open-store.test.ts', 'http/with-audit.test.ts', 'telemetry/log/outage.test.ts'],
  },
  D5: { what: 'killed PostgreSQL', tests: ['storage/postgres.test.ts'] },
  D6: {
    what: 'failover of PostgreSQL',
    tests: ['e2e/cluster.test.ts'],
    open: 'the operator of PostgreSQL promotes the standby',
  },
  D7: {
    what: 'PostgreSQL that is slow, full or outdated',
    tests: ['storage/postgres.test.ts', 'storage/migrations.test.ts'],
  },
  D8: { what: 'upgrades and backups', tests: ['storage/migrations.test.ts', 'e2e/rolling-upgrade.test.ts'] },
  U1: {
    what: 'faults of orchestrators; no action twice',
    tests: ['upstream/upstream-faults.test.ts', 'upstream/policy/retry.test.ts'],
  },
  U2: { what: 'one unreachable orchestrator beside others', tests: ['upstream/policy/queue.test.ts'] },
  U3: { what: 'recovery after an outage', tests: ['upstream/policy/breaker.test.ts'] },
  U4: {
    what: 'reuse of connections',
    tests: ['upstream/client.test.ts', 'upstream/hostile-replies.test.ts'],
  },
  U5: {
    what: 'callers that disconnect',
    tests: ['http/server.test.ts', 'upstream/deadline.test.ts', 'e2e/upstream.test.ts'],
    open: LONG,
  },
  V1: {
    what: 'states of Vault',
    tests: ['secrets/cases.test.ts', 'secrets/vault/transport.test.ts', 'secrets/vault/fail-over.test.ts'],
  },
  V2: {
    what: 'an outage while secrets are cached',
    tests: ['secrets/max-age.test.ts', 'secrets/cases.test.ts'],
  },
  V3: { what: 'a start without Vault', tests: ['secrets/cases.test.ts', 'e2e/boot.test.ts'] },
  V4: { what: 'rotation of secrets under load', tests: ['e2e/rotation.test.ts', 'secrets/rotation.test.ts'] },
  V5: {
    what: 'renewal of the Vault token',
    tests: ['secrets/vault/token-life.test.ts', 'secrets/vault/token-manager.test.ts'],
  },
  V6: {
    what: 'paths of references',
    tests: ['secrets/reference.test.ts', 'secrets/vault/transport.test.ts'],
  },
  V7: { what: 'encrypted values of the previous platform', tests: ['secrets/find-references.test.ts'] },
  V8: { what: 'secrets in logs, replies and output', tests: ['e2e/canary.test.ts', 'e2e/leak-scan.test.ts'] },
  L1: {
    what: 'configuration that is truncated, corrupt or replaced',
    tests: ['server/state/reload-queue.test.ts', 'config/load.test.ts'],
  },
  L2: { what: 'reloads under load', tests: ['e2e/reload-load.test.ts'] },
  L3: { what: 'signals and closed pipes', tests: ['cli/serve.test.ts', 'http/server.test.ts'] },
  L4: { what: 'kill -9 during the start', tests: ['storage/file-lock.test.ts'] },
  L5: {
    what: 'plugins that misbehave',
    tests: ['adapters/plugins.test.ts', 'adapters/instance.test.ts'],
  },
  L6: { what: 'overload' },
  L7: { what: 'memory use over a day' },
  L8: { what: 'stalls of the main loop' },
  L9: { what: 'clocks that jump', tests: ['lib/clock.test.ts', 'auth/jwks.test.ts'] },
  L10: {
    what: 'the audit trail',
    tests: ['features/audit/trail/verify.test.ts', 'features/audit/trail/open-audit-trail.test.ts'],
  },
  L11: { what: 'lack of file descriptors' },
  L12: {
    what: 'rules of the code',
    tests: ['shape/shape.test.ts', 'supply/packages.test.ts'],
  },
};
