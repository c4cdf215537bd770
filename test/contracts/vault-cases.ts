import type { Json, TokenTerms } from '../support/vault-double/state.js';
import type { AskOptions, Reply, VaultBench } from './vault-contract.js';

/** A request, and the status and the members of its reply that gatehouse reads. */
export type VaultCase = readonly [
  title: string,
  /** A path; or a function that sends requests and returns the last reply. */
  asked: string | ((bench: VaultBench) => Promise<Reply>),
  status: number,
  body?: Json | undefined,
  options?: AskOptions,
];

const READER: AskOptions = { token: 'reader' };
const NOTHING = { errors: [] };
const SOME_ERROR = { errors: [String] };
const DENIED = { errors: ['1 error occurred:\n\t* permission denied\n\n'] };
/** OpenBao reports nothing else about an unknown token; Vault adds "invalid token". */
const REFUSED = { errors: [/^permission denied$|invalid token/] };

/** Returns a function for the data of a version, or for its names. */
const versionWith =
  (member: string) =>
  (number: number, data: Json | null, more: Json = {}): Json => ({
    data: { [member]: data, metadata: { version: number, ...more } },
  });
const version = versionWith('data');
const names = versionWith('subkeys');
const DELETED = { deletion_time: /^\d{4}-\d\d-\d\d/, destroyed: false };
const CONFLICT = { errors: [/did not match the current version/] };
const withCas = (cas: number): AskOptions => ({ body: { data: { k: 'v' }, options: { cas } } });

const KV2: readonly VaultCase[] = [
  ['reads the newest version', 'secret/data/a/x', 200, version(2, { k: 'second' }), READER],
  ['grants no lease', 'secret/data/a/x', 200, { request_id: String, lease_id: '' }],
  ['reads a version', 'secret/data/a/x?version=1', 200, version(1, { k: 'first' })],
  ['has no version 9', 'secret/data/a/x?version=9', 404, NOTHING],
  ['has no secret', 'secret/data/a/none', 404, NOTHING],
  ['reads a secret without members', 'secret/data/a/empty', 200, version(1, {})],
  ['decodes a path', 'secret/data/a/sp%20ace', 200, version(1, { k: 'spaced' })],
  ['tells when a version was deleted', 'secret/data/a/deleted', 404, version(1, null, DELETED)],
  [
    'tells that a version is destroyed',
    'secret/data/a/destroyed',
    404,
    version(1, null, { deletion_time: '', destroyed: true }),
  ],
  ['warns of no data/', 'secret/a/x', 404, { warnings: [/^Invalid path for a versioned K\/V/] }],
  [
    'names members',
    'secret/subkeys/a/nested',
    200,
    names(1, { k: null, inner: { deep: null }, list: null }),
    READER,
  ],
  ['names members of a version', 'secret/subkeys/a/x?version=1', 200, names(1, { k: null })],
  ['names no members without a secret', 'secret/subkeys/a/none', 404, NOTHING],
  ['names no members of a deleted version', 'secret/subkeys/a/deleted', 404, names(1, null, DELETED)],
  [
    'lists a folder',
    'secret/metadata/a/?list=true',
    200,
    { data: { keys: ['deleted', 'destroyed', 'empty', 'nested', 'sp ace', 'x', 'x/'] } },
    READER,
  ],
  ['lists no folder', 'secret/metadata/none/?list=true', 404, NOTHING],
  ['lists nothing beside the policy', 'secret/metadata/w/?list=true', 403, DENIED, READER],
  ['reads nothing beside the policy', 'secret/data/w/kept', 403, DENIED, READER],
  ['creates a secret', 'secret/data/w/new', 200, { data: { version: 1 } }, withCas(0)],
  ['writes the next version', 'secret/data/w/kept', 200, { data: { version: 2 } }, withCas(1)],
  ['does not write after another version', 'secret/data/w/kept', 400, CONFLICT, withCas(1)],
  ['does not create a secret again', 'secret/data/w/kept', 400, CONFLICT, withCas(0)],
  ['writes over a deleted version', 'secret/data/a/deleted', 200, { data: { version: 2 } }, withCas(1)],
  ...writesBelow('secret/data/w', 200, { data: { version: Number } }),
];

const KV1: readonly VaultCase[] = [
  ['reads', 'kv/x', 200, { lease_id: '', data: { k: 'v', n: 1 } }, READER],
  ['has no secret', 'kv/none', 404, NOTHING],
  ['has no data/', 'kv/data/x', 404, NOTHING],
  ['lists a folder', 'kv/folder/?list=true', 200, { data: { keys: ['x'] } }, READER],
  ['lists no folder', 'kv/none/?list=true', 404, NOTHING],
  ...writesBelow('kv/w', 204),
];

function writesBelow(path: string, status: number, body?: Json): readonly VaultCase[] {
  const by = (token: string): AskOptions => ({ token, body: { data: { k: 'v' } } });
  return [
    ['does not create with "update"', `${path}/created`, 403, DENIED, by('changer')],
    ['creates with "create"', `${path}/created`, status, body, by('creator')],
    ['does not change with "create"', `${path}/kept`, 403, DENIED, by('creator')],
    ['changes with "update"', `${path}/kept`, status, body, by('changer')],
  ];
}

const SECRET_MOUNT = { data: { type: 'kv', path: 'secret/', options: { version: '2' } } };
const KV_MOUNT = { data: { type: 'kv', path: 'kv/', options: { version: '1' } } };
const PREFLIGHT = { errors: [/^preflight capability check returned 403/] };
const NO_ROUTE = { errors: [/^no handler for route/] };
const UNKNOWN_ROLE = { errors: [/unknown role/] };
const capabilities = (token: string, path: string, granted: string): VaultCase => [
  `tells that ${token} has "${granted}" on ${path}`,
  'sys/capabilities-self',
  200,
  { capabilities: [granted] },
  { token, body: { paths: [path] } },
];

const MOUNTS: readonly VaultCase[] = [
  ['knows KV 2', 'sys/internal/ui/mounts/secret/a/x', 200, SECRET_MOUNT, READER],
  ['knows KV 1', 'sys/internal/ui/mounts/kv/x', 200, KV_MOUNT, READER],
  [
    'knows another engine',
    'sys/internal/ui/mounts/database/creds/x',
    200,
    { data: { type: 'database', path: 'database/' } },
  ],
  ['does not tell that a mount is unknown', 'sys/internal/ui/mounts/nothing/x', 403, PREFLIGHT],
  ['tells nothing beside the policy', 'sys/internal/ui/mounts/secret/a', 403, PREFLIGHT, { token: 'nobody' }],
  ['refuses an unknown token', 'sys/internal/ui/mounts/kv/x', 403, REFUSED, { token: 'unknown' }],
  ['reads nothing without an engine', 'nothing/x', 404, NO_ROUTE],
  ['reads nothing without an engine and a policy', 'nothing/x', 403, DENIED, READER],
  ['has no role of a database', 'database/creds/none', 400, UNKNOWN_ROLE],
  ['has no static role of a database', 'database/static-creds/none', 400, UNKNOWN_ROLE],
  capabilities('reader', 'secret/data/a/x', 'read'),
  capabilities('reader', 'secret/data/w/kept', 'deny'),
  capabilities('root', 'secret/data/a/x', 'root'),
];

const LOOK_UP = 'auth/token/lookup-self';
const RENEW = 'auth/token/renew-self';
const REVOKE = 'auth/token/revoke-self';
const BATCH = { type: 'batch' } as const;
const looked = (data: Json): Json => ({ data: { num_uses: 0, ttl: Number, ...data } });
const renewed = (seconds: number): Json => ({ auth: { lease_duration: seconds } });

/** Returns a function that sends requests, the last one to `path`, with a new token of a minute. */
function withToken(terms: Partial<TokenTerms>, ...paths: readonly string[]) {
  return async ({ admin, ask }: VaultBench): Promise<Reply> => {
    const ttl = terms.period === undefined && { ttl: 60 };
    const token = await admin.createToken({ policies: ['reader'], ...ttl, ...terms });
    const send = (path: string) => ask(path, { token, ...([RENEW, REVOKE].includes(path) && { body: {} }) });
    for (const path of paths.slice(0, -1)) await send(path);
    return send(paths.at(-1) ?? '');
  };
}

const TOKENS: readonly VaultCase[] = [
  ['root never ends', LOOK_UP, 200, looked({ ttl: 0, creation_ttl: 0, renewable: undefined })],
  ['looks up', withToken({}, LOOK_UP), 200, looked({ creation_ttl: 60, renewable: true })],
  [
    'tells what cannot be renewed',
    withToken({ renewable: false }, LOOK_UP),
    200,
    looked({ renewable: false }),
  ],
  ['tells a period', withToken({ period: 70 }, LOOK_UP), 200, looked({ period: 70, renewable: true })],
  ['looks up a batch token', withToken(BATCH, LOOK_UP), 200, looked({ creation_ttl: 60, renewable: false })],
  ['tells the uses', withToken({ numUses: 5 }, LOOK_UP), 200, looked({ num_uses: /^[1-9]$/ })],
  ['refuses an unknown token', 'secret/data/a/x', 403, REFUSED, { token: 'unknown' }],
  ['refuses a request without a token', LOOK_UP, 403, SOME_ERROR, { token: '' }],
  ['renews', withToken({}, RENEW), 200, renewed(60)],
  ['renews for a period', withToken({ period: 70 }, RENEW), 200, renewed(70)],
  ['does not renew root', RENEW, 400, SOME_ERROR, { body: {} }],
  ['does not renew a batch token', withToken(BATCH, RENEW), 400, SOME_ERROR],
  ['revokes', withToken({}, REVOKE), 204],
  ['does not revoke a batch token', withToken(BATCH, REVOKE), 400, SOME_ERROR],
  ['does not look up a revoked token', withToken({}, REVOKE, LOOK_UP), 403, REFUSED],
  ['does not renew a revoked token', withToken({}, REVOKE, RENEW), 403, REFUSED],
  ['reads nothing for a revoked token', withToken({}, REVOKE, 'secret/data/a/x'), 403, REFUSED],
];

const SECRET_ID = 'auth/approle/role/app/secret-id';
const NOT_WRAPPED = { errors: ['wrapping token is not valid or does not exist'] };
const UNWRAP = 'sys/wrapping/unwrap';

type Asks = (bench: VaultBench, token: string) => Promise<Reply>;
const lookUpWrapping: Asks = ({ ask }, token) => ask('sys/wrapping/lookup', { token: '', body: { token } });
const unwrap: Asks = ({ ask }, token) => ask(UNWRAP, { token, body: {} });
const unwrapByBody: Asks = ({ ask }, token) => ask(UNWRAP, { token: '', body: { token } });

/** Returns a function that sends requests with the same wrapping token. */
const withWrapping =
  (path: 'auth/token/create' | typeof SECRET_ID, first: Asks, next?: Asks) => async (bench: VaultBench) => {
    const token = await bench.admin.wrap(path);
    const reply = await first(bench, token);
    return next ? next(bench, token) : reply;
  };

const WRAPPING: readonly VaultCase[] = [
  [
    'tells what was wrapped',
    withWrapping(SECRET_ID, lookUpWrapping),
    200,
    { data: { creation_path: SECRET_ID } },
  ],
  ['unwraps a secret id', withWrapping(SECRET_ID, unwrap), 200, { data: { secret_id: String } }],
  ['unwraps a token', withWrapping('auth/token/create', unwrap), 200, { auth: { client_token: String } }],
  [
    'unwraps after a look-up',
    withWrapping(SECRET_ID, lookUpWrapping, unwrap),
    200,
    { data: { secret_id: String } },
  ],
  ['unwraps nothing twice', withWrapping(SECRET_ID, unwrap, unwrap), 400, NOT_WRAPPED],
  ['looks up nothing unwrapped', withWrapping(SECRET_ID, unwrap, lookUpWrapping), 400, NOT_WRAPPED],
  ['looks for the token in the header', withWrapping(SECRET_ID, unwrapByBody), 403, REFUSED],
  [
    'looks up no other token',
    (bench) => lookUpWrapping(bench, bench.tokens['reader'] ?? ''),
    400,
    NOT_WRAPPED,
  ],
  ['looks up no unknown token', (bench) => lookUpWrapping(bench, 'hvs.nothing'), 400, NOT_WRAPPED],
  ['unwraps no unknown token', (bench) => unwrap(bench, 'hvs.nothing'), 400, NOT_WRAPPED],
];

const APP_ROLE = 'auth/approle/login';
const granted = (lease_duration: number, more: Json = {}): Json => ({
  auth: { client_token: String, lease_duration, renewable: true, num_uses: 0, ...more },
});
const credentials = (body: Json): AskOptions => ({ token: '', body });

/** Returns a function that logs in with the AppRole `app`; `changes` replace its credentials. */
const asApp =
  (changes: Json = {}) =>
  ({ ask, role }: VaultBench) =>
    ask(APP_ROLE, credentials({ ...role, ...changes }));

/** Returns a function that logs in with another AppRole. */
const asRole = (name: string, terms: Partial<TokenTerms>) => async (bench: VaultBench) => {
  const { roleId, secretId } = await bench.admin.createAppRole(name, { policies: ['reader'], ...terms });
  return asApp({ role_id: roleId, secret_id: secretId })(bench);
};

const byJwt =
  (name: 'accepted' | 'other', role?: string) =>
  ({ ask, jwt }: VaultBench) =>
    ask('auth/jwt/login', credentials({ jwt: jwt[name], ...(role !== undefined && { role }) }));

// The methods kubernetes and ldap need a server each: test/openbao/kubernetes.test.ts and ldap.test.ts have one.
const LOGINS: readonly VaultCase[] = [
  ['AppRole: logs in', asApp(), 200, granted(1200)],
  ['AppRole: gives a periodic token', asRole('periodic', { period: 80 }), 200, granted(80)],
  ['AppRole: gives a batch token', asRole('batch', BATCH), 200, granted(1200, { renewable: false })],
  ['AppRole: limits uses', asRole('limited', { numUses: 3 }), 200, granted(1200, { num_uses: 3 })],
  ['AppRole: refuses a secret id', asApp({ secret_id: 'wrong' }), 400, SOME_ERROR],
  ['AppRole: refuses a login without a secret id', asApp({ secret_id: undefined }), 400, SOME_ERROR],
  ['AppRole: refuses a role id', asApp({ role_id: 'wrong' }), 400, SOME_ERROR],
  ['no method: refuses', 'auth/nothing/login', 403, { errors: ['permission denied'] }, credentials({})],
  ['jwt: logs in', byJwt('accepted', 'edge'), 200, granted(90)],
  ['jwt: logs in with the default role', byJwt('accepted'), 200, granted(90)],
  ['jwt: refuses another role', byJwt('accepted', 'none'), 400, SOME_ERROR],
  ['jwt: refuses another token', byJwt('other', 'edge'), 400, SOME_ERROR],
  ['cert: logs in', 'auth/cert/login', 200, granted(90), credentials({})],
  ['cert: logs in with a name', 'auth/cert/login', 200, granted(90), credentials({ name: 'edge' })],
  ['cert: refuses another name', 'auth/cert/login', 400, SOME_ERROR, credentials({ name: 'none' })],
];

const LEASE: AskOptions = { body: { lease_id: 'database/creds/x/nothing' } };

const SYSTEM: readonly VaultCase[] = [
  ['renews no unknown lease', 'sys/leases/renew', 400, { errors: ['lease not found'] }, LEASE],
  ['revokes an unknown lease', 'sys/leases/revoke', 204, undefined, LEASE],
  ['revokes no lease beside the policy', 'sys/leases/revoke', 403, DENIED, { ...READER, ...LEASE }],
  ['tells that it is unsealed', 'sys/health', 200, { sealed: false }, { token: '' }],
  ['has no health in a namespace', 'sys/health', 400, SOME_ERROR, { token: '', namespace: 'team' }],
];

/** Cases by what they are about, in their order: some write what a later one changes. */
export const CASES = { KV2, KV1, MOUNTS, TOKENS, WRAPPING, LOGINS, SYSTEM };

const IS_SEALED = { errors: [/is sealed/] };

/** Cases of a server that is sealed. */
export const SEALED_CASES: readonly VaultCase[] = [
  ['refuses to read', 'secret/data/a/x', 503, IS_SEALED],
  ['refuses to look up a token', LOOK_UP, 503, IS_SEALED],
  ['refuses a login', asApp(), 503, IS_SEALED],
  ['refuses to unwrap', (bench) => unwrap(bench, 'hvs.nothing'), 503, IS_SEALED],
  ['tells its health', 'sys/health', 503, { sealed: true }, { token: '' }],
];
