import type { Json } from '../support/vault-double/state.js';
import type { AskOptions, Reply, VaultBench } from './vault-contract.js';

/** A request and the part of its reply that gatehouse reads; a function sends requests and returns the last reply. */
export type VaultCase = readonly [
  title: string,
  asked: string | ((bench: VaultBench) => Promise<Reply>),
  status: number,
  body?: Json,
  options?: AskOptions,
];

const NOTHING = { errors: [] };
const DENIED = { errors: ['1 error occurred:\n\t* permission denied\n\n'] };
const REFUSED = { errors: [/permission denied/] };
const CONFLICT = { errors: [/did not match the current version/] };
const NO_LEASE = { lease_id: '' };

const KV2: readonly VaultCase[] = [
  [
    'KV 2: reads the newest version',
    'secret/data/a/x',
    200,
    { request_id: String, ...NO_LEASE, data: { data: { k: 'second' }, metadata: { version: 2 } } },
    { token: 'reader' },
  ],
  [
    'KV 2: reads a version',
    'secret/data/a/x?version=1',
    200,
    { data: { data: { k: 'first' }, metadata: { version: 1 } } },
  ],
  ['KV 2: has no version 9', 'secret/data/a/x?version=9', 404, NOTHING],
  ['KV 2: has no secret', 'secret/data/a/none', 404, NOTHING],
  ['KV 2: reads a secret without members', 'secret/data/a/empty', 200, { data: { data: {} } }],
  ['KV 2: decodes a path', 'secret/data/a/sp%20ace', 200, { data: { data: { k: 'spaced' } } }],
  [
    'KV 2: tells when a version was deleted',
    'secret/data/a/deleted',
    404,
    { data: { data: null, metadata: { version: 1, deletion_time: /^\d{4}-/, destroyed: false } } },
  ],
  [
    'KV 2: tells that a version is destroyed',
    'secret/data/a/destroyed',
    404,
    { data: { data: null, metadata: { version: 1, deletion_time: '', destroyed: true } } },
  ],
  [
    'KV 2: warns of a path without data/',
    'secret/a/x',
    404,
    { warnings: [/^Invalid path for a versioned K\/V/] },
  ],
  [
    'KV 2: reads names of members',
    'secret/subkeys/a/nested',
    200,
    { data: { subkeys: { k: null, inner: { deep: null }, list: null }, metadata: { version: 1 } } },
    { token: 'reader' },
  ],
  [
    'KV 2: reads names of members of a version',
    'secret/subkeys/a/x?version=1',
    200,
    { data: { subkeys: { k: null }, metadata: { version: 1 } } },
  ],
  ['KV 2: has no names without a secret', 'secret/subkeys/a/none', 404, NOTHING],
  [
    'KV 2: has no names of a deleted version',
    'secret/subkeys/a/deleted',
    404,
    { data: { subkeys: null, metadata: { version: 1, deletion_time: /^\d{4}-/, destroyed: false } } },
  ],
  [
    'KV 2: lists a folder',
    'secret/metadata/a/?list=true',
    200,
    { data: { keys: ['deleted', 'destroyed', 'empty', 'nested', 'sp ace', 'x', 'x/'] } },
    { token: 'reader' },
  ],
  ['KV 2: lists no folder', 'secret/metadata/none/?list=true', 404, NOTHING],
  ['KV 2: lists nothing beside the policy', 'secret/metadata/w/?list=true', 403, DENIED, { token: 'reader' }],
  ['KV 2: reads nothing beside the policy', 'secret/data/w/kept', 403, DENIED, { token: 'reader' }],
];

const write = (k: string, cas: number): AskOptions => ({ body: { data: { k }, options: { cas } } });

const WRITES: readonly VaultCase[] = [
  ['KV 2: creates a secret', 'secret/data/w/new', 200, { data: { version: 1 } }, write('v', 0)],
  ['KV 2: writes the next version', 'secret/data/w/kept', 200, { data: { version: 2 } }, write('v', 1)],
  ['KV 2: refuses another version', 'secret/data/w/kept', 400, CONFLICT, write('v', 1)],
  ['KV 2: refuses to create a secret again', 'secret/data/w/kept', 400, CONFLICT, write('v', 0)],
  [
    'KV 2: writes over a deleted version',
    'secret/data/a/deleted',
    200,
    { data: { version: 2 } },
    write('v', 1),
  ],
  ...(['secret/data/w', 'kv/w'] as const).flatMap((path, at): readonly VaultCase[] => {
    const options = (token: string) => ({ token, body: { data: { k: 'v' } } });
    const [engine, done] = [`KV ${2 - at}`, 2 - at === 2 ? 200 : 204];
    return [
      [`${engine}: creates with "create"`, `${path}/created`, done, undefined, options('creator')],
      [`${engine}: does not create with "update"`, `${path}/other`, 403, DENIED, options('changer')],
      [`${engine}: changes with "update"`, `${path}/kept`, done, undefined, options('changer')],
      [`${engine}: does not change with "create"`, `${path}/kept`, 403, DENIED, options('creator')],
    ];
  }),
];

const KV1: readonly VaultCase[] = [
  ['KV 1: reads', 'kv/x', 200, { ...NO_LEASE, data: { k: 'v', n: 1 } }, { token: 'reader' }],
  ['KV 1: has no secret', 'kv/none', 404, NOTHING],
  ['KV 1: has no data/', 'kv/data/x', 404, NOTHING],
  ['KV 1: lists a folder', 'kv/folder/?list=true', 200, { data: { keys: ['x'] } }, { token: 'reader' }],
  ['KV 1: lists no folder', 'kv/none/?list=true', 404, NOTHING],
];

const mount = (type: string, path: string, options: unknown): Json => ({ data: { type, path, options } });
const PREFLIGHT = { errors: [/^preflight capability check returned 403/] };
const ASKED_MOUNTS = 'sys/internal/ui/mounts';

const MOUNTS: readonly VaultCase[] = [
  [
    'mounts: KV 2',
    `${ASKED_MOUNTS}/secret/a/x`,
    200,
    mount('kv', 'secret/', { version: '2' }),
    { token: 'reader' },
  ],
  ['mounts: KV 1', `${ASKED_MOUNTS}/kv/x`, 200, mount('kv', 'kv/', { version: '1' }), { token: 'reader' }],
  ['mounts: database', `${ASKED_MOUNTS}/database/creds/x`, 200, mount('database', 'database/', null)],
  ['mounts: unknown', `${ASKED_MOUNTS}/nothing/x`, 403, PREFLIGHT],
  ['mounts: beside the policy', `${ASKED_MOUNTS}/secret/a/x`, 403, PREFLIGHT, { token: 'nobody' }],
  ['mounts: with an unknown token', `${ASKED_MOUNTS}/secret/a/x`, 403, REFUSED, { token: 'unknown' }],
  ['no engine: reads nothing', 'nothing/x', 404, { errors: [/^no handler for route/] }],
  ['no engine: is denied', 'nothing/x', 403, DENIED, { token: 'nobody' }],
  ['database: has no role', 'database/creds/none', 400, { errors: [/unknown role/] }],
  ['database: has no static role', 'database/static-creds/none', 400, { errors: [/unknown role/] }],
  ['an unknown token is refused', 'secret/data/a/x', 403, REFUSED, { token: 'unknown' }],
  ...(
    [
      ['reader', 'secret/data/a/x', 'read'],
      ['reader', 'secret/data/w/kept', 'deny'],
      ['nobody', 'database/creds/x', 'deny'],
    ] as const
  ).map(([token, path, granted]): VaultCase => [
    `capabilities: ${token} has ${granted} on ${path}`,
    'sys/capabilities-self',
    200,
    { capabilities: [granted] },
    { token, body: { paths: [path] } },
  ]),
];

type TokenTerms = Parameters<VaultBench['admin']['createToken']>[0];

/** Returns a function that sends a request with a new token. */
function withToken(
  terms: Partial<TokenTerms>,
  path: string,
  { isRevoked, ...options }: AskOptions & { readonly isRevoked?: true } = {},
) {
  return async ({ admin, ask }: VaultBench): Promise<Reply> => {
    const token = await admin.createToken({
      policies: ['reader'],
      ...(terms.period === undefined && { ttl: 60 }),
      ...terms,
    });
    if (isRevoked) await admin.revokeToken(token);
    return ask(path, { ...options, token });
  };
}

const LOOK_UP = 'auth/token/lookup-self';
const lookUp = (data: Json): Json => ({ data: { num_uses: 0, ttl: Number, ...data } });
const renewal = (seconds: unknown): Json => ({ auth: { client_token: String, lease_duration: seconds } });
const RENEW = 'auth/token/renew-self';
const REVOKE = 'auth/token/revoke-self';
const POST = { body: {} };

const TOKENS: readonly VaultCase[] = [
  ['tokens: root never ends', LOOK_UP, 200, lookUp({ ttl: 0, creation_ttl: 0, renewable: false })],
  ['tokens: looks up', withToken({}, LOOK_UP), 200, lookUp({ creation_ttl: 60, renewable: true })],
  [
    'tokens: looks up one that cannot be renewed',
    withToken({ renewable: false }, LOOK_UP),
    200,
    lookUp({ renewable: false }),
  ],
  [
    'tokens: looks up a periodic one',
    withToken({ period: 60 }, LOOK_UP),
    200,
    lookUp({ period: 60, renewable: true }),
  ],
  [
    'tokens: looks up a batch token',
    withToken({ type: 'batch' }, LOOK_UP),
    200,
    lookUp({ creation_ttl: 60, renewable: false }),
  ],
  [
    'tokens: looks up one of five uses',
    withToken({ numUses: 5 }, LOOK_UP),
    200,
    { data: { num_uses: Number } },
  ],
  ['tokens: refuses a revoked one', withToken({}, LOOK_UP, { isRevoked: true }), 403, REFUSED],
  ['tokens: refuses to look up without one', LOOK_UP, 403, { errors: [String] }, { token: '' }],
  ['tokens: renews', withToken({}, RENEW, POST), 200, renewal(60)],
  ['tokens: renews a periodic one', withToken({ period: 70 }, RENEW, POST), 200, renewal(70)],
  ['tokens: renews up to the longest life', withToken({ maxTtl: 61 }, RENEW, POST), 200, renewal(Number)],
  ['tokens: does not renew root', RENEW, 400, { errors: [String] }, POST],
  [
    'tokens: does not renew a batch token',
    withToken({ type: 'batch' }, RENEW, POST),
    400,
    { errors: [String] },
  ],
  [
    'tokens: refuses to renew a revoked one',
    withToken({}, RENEW, { ...POST, isRevoked: true }),
    403,
    REFUSED,
  ],
  ['tokens: revokes', withToken({}, REVOKE, POST), 204],
  [
    'tokens: does not revoke a batch token',
    withToken({ type: 'batch' }, REVOKE, POST),
    400,
    { errors: [String] },
  ],
  [
    'tokens: one that revoked itself is refused',
    async ({ admin, ask }) => {
      const token = await admin.createToken({ policies: ['reader'], ttl: 60 });
      await ask(REVOKE, { ...POST, token });
      return ask('secret/data/a/x', { token });
    },
    403,
    REFUSED,
  ],
];

const [SECRET_ID, NEW_TOKEN] = ['auth/approle/role/app/secret-id', 'auth/token/create'] as const;
const NOT_WRAPPED = { errors: ['wrapping token is not valid or does not exist'] };

const lookUpWrapping = ({ ask }: VaultBench, token: string): Promise<Reply> =>
  ask('sys/wrapping/lookup', { token: '', body: { token } });
const unwrap = ({ ask }: VaultBench, token: string): Promise<Reply> =>
  ask('sys/wrapping/unwrap', { token, body: {} });

const WRAPPING: readonly VaultCase[] = [
  [
    'wrapping: tells the path that created a reply',
    async (bench) => lookUpWrapping(bench, await bench.admin.wrap(SECRET_ID)),
    200,
    { data: { creation_path: SECRET_ID } },
  ],
  [
    'wrapping: knows no other token',
    (bench) => lookUpWrapping(bench, bench.tokens['reader'] ?? ''),
    400,
    NOT_WRAPPED,
  ],
  ['wrapping: looks up nothing', (bench) => lookUpWrapping(bench, 'hvs.nothing'), 400, NOT_WRAPPED],
  [
    'wrapping: unwraps a secret id',
    async (bench) => unwrap(bench, await bench.admin.wrap(SECRET_ID)),
    200,
    { data: { secret_id: String } },
  ],
  [
    'wrapping: unwraps a token',
    async (bench) => unwrap(bench, await bench.admin.wrap(NEW_TOKEN)),
    200,
    { auth: { client_token: String } },
  ],
  ...([unwrap, lookUpWrapping] as const).map((again, at): VaultCase => [
    `wrapping: ${['unwraps', 'looks up'][at]} nothing a second time`,
    async (bench) => {
      const token = await bench.admin.wrap(SECRET_ID);
      await unwrap(bench, token);
      return again(bench, token);
    },
    400,
    NOT_WRAPPED,
  ]),
  ['wrapping: unwraps nothing', (bench) => unwrap(bench, 'hvs.nothing'), 400, NOT_WRAPPED],
  [
    'wrapping: unwraps nothing that only the body names',
    async ({ admin, ask }) =>
      ask('sys/wrapping/unwrap', { token: '', body: { token: await admin.wrap(SECRET_ID) } }),
    403,
    REFUSED,
  ],
];

const AT_APP_ROLE = 'auth/approle/login';
const granted = (lease_duration: number, renewable = true): Json => ({
  auth: { client_token: String, lease_duration, renewable, num_uses: 0 },
});
const REFUSED_LOGIN = { errors: [String] };

/** Returns a function that logs in with a new AppRole. */
function withAppRole(terms: Partial<TokenTerms>) {
  return async ({ admin, ask }: VaultBench): Promise<Reply> => {
    const { roleId, secretId } = await admin.createAppRole('other', { policies: ['reader'], ...terms });
    return ask(AT_APP_ROLE, { token: '', body: { role_id: roleId, secret_id: secretId } });
  };
}

const jwtLogin =
  (name: 'accepted' | 'other', body: Json) =>
  ({ ask, jwt }: VaultBench): Promise<Reply> =>
    ask('auth/jwt/login', { token: '', body: { ...body, jwt: jwt[name] } });

const withBody = (body: Json, more: AskOptions = {}): AskOptions => ({ token: '', body, ...more });

// Logins with kubernetes and ldap need a server each: test/openbao has them.
const LOGINS: readonly VaultCase[] = [
  ['AppRole: logs in', ({ ask, role }) => ask(AT_APP_ROLE, withBody(role)), 200, granted(1200)],
  ['AppRole: gives a periodic token', withAppRole({ period: 80 }), 200, granted(80)],
  ['AppRole: gives a batch token', withAppRole({ type: 'batch' }), 200, granted(1200, false)],
  ['AppRole: limits the uses', withAppRole({ numUses: 3 }), 200, { auth: { num_uses: 3 } }],
  [
    'AppRole: refuses a secret id',
    ({ ask, role }) => ask(AT_APP_ROLE, withBody({ ...role, secret_id: 'wrong' })),
    400,
    REFUSED_LOGIN,
  ],
  [
    'AppRole: refuses a login without a secret id',
    ({ ask, role }) => ask(AT_APP_ROLE, withBody({ role_id: role.role_id })),
    400,
    REFUSED_LOGIN,
  ],
  ['AppRole: refuses a role id', AT_APP_ROLE, 400, REFUSED_LOGIN, withBody({ role_id: 'x', secret_id: 'y' })],
  [
    'no login method: refuses',
    'auth/nothing/login',
    403,
    REFUSED,
    withBody({ role_id: 'x', secret_id: 'y' }),
  ],
  ['jwt: logs in', jwtLogin('accepted', { role: 'edge' }), 200, granted(90)],
  ['jwt: logs in with the default role', jwtLogin('accepted', {}), 200, granted(90)],
  ['jwt: refuses another role', jwtLogin('accepted', { role: 'none' }), 400, REFUSED_LOGIN],
  ['jwt: refuses another token', jwtLogin('other', { role: 'edge' }), 400, REFUSED_LOGIN],
  ['cert: logs in', 'auth/cert/login', 200, granted(90), withBody({})],
  ['cert: logs in with a name', 'auth/cert/login', 200, granted(90), withBody({ name: 'edge' })],
  ['cert: refuses another name', 'auth/cert/login', 400, REFUSED_LOGIN, withBody({ name: 'none' })],
  [
    'cert: refuses a connection without a certificate',
    'auth/cert/login',
    400,
    REFUSED_LOGIN,
    withBody({}, { isWithoutCertificate: true }),
  ],
];

const LEASE = { lease_id: 'database/creds/x/nothing' };

const LEASES: readonly VaultCase[] = [
  ['leases: knows no lease', 'sys/leases/renew', 400, { errors: ['lease not found'] }, { body: LEASE }],
  ['leases: revokes an unknown lease', 'sys/leases/revoke', 204, undefined, { body: LEASE }],
  ['leases: is denied', 'sys/leases/revoke', 403, DENIED, { token: 'reader', body: LEASE }],
];

const HEALTH: readonly VaultCase[] = [
  ['health: is unsealed', 'sys/health', 200, { sealed: false }, { token: '' }],
  ['health: refuses a namespace', 'sys/health', 400, { errors: [String] }, { token: '', namespace: 'team' }],
];

/** Cases in their order: some write what a later one changes. */
export const CASES: readonly VaultCase[] = [
  ...KV2,
  ...WRITES,
  ...KV1,
  ...MOUNTS,
  ...TOKENS,
  ...WRAPPING,
  ...LOGINS,
  ...LEASES,
  ...HEALTH,
];

const SEALED = { errors: [/is sealed/] };

export const SEALED_CASES: readonly VaultCase[] = [
  ['refuses to read', 'secret/data/a/x', 503, SEALED],
  ['refuses to look up a token', LOOK_UP, 503, SEALED],
  ['refuses a login', ({ ask, role }) => ask(AT_APP_ROLE, withBody(role)), 503, SEALED],
  ['refuses to unwrap', (bench) => unwrap(bench, 'hvs.nothing'), 503, SEALED],
  ['tells its health', 'sys/health', 503, { sealed: true }, { token: '' }],
];
