import type { Json, TokenTerms } from './vault-double/state.js';

/** Location of a secret of a test. Default: the KV version 2 engine `secret`. */
export interface SecretLocation {
  /** Mount: `secret` (KV version 2), `kv` (KV version 1), or a mount that the test created. */
  readonly mount?: string;
  readonly path: string;
}

/** Administration of Vault over the published HTTP API; every name gets the prefix of the administrator. */
export interface VaultAdmin {
  mountKv(name: string, version: 1 | 2): Promise<void>;
  /** Removes a mount with its content. */
  unmount(name: string): Promise<void>;
  enableAppRole(name: string): Promise<void>;
  /** Paths begin with a mount. */
  putPolicy(name: string, paths: Readonly<Record<string, readonly string[]>>): Promise<void>;
  putSecret(place: SecretLocation, data: Json): Promise<void>;
  deleteVersion(place: SecretLocation, version: number): Promise<void>;
  destroyVersion(place: SecretLocation, version: number): Promise<void>;
  /** Makes Vault delete later versions after this number of seconds. */
  deleteLater(place: SecretLocation, seconds: number): Promise<void>;
  createToken(terms: TokenTerms): Promise<string>;
  revokeToken(token: string): Promise<void>;
  /** True while a token is good. */
  knowsToken(token: string): Promise<boolean>;
  /**
   * Creates or changes a role of the method `approle`; the default lifetime of its tokens is 1200 seconds.
   */
  createAppRole(
    name: string,
    terms: TokenTerms,
  ): Promise<{ readonly roleId: string; readonly secretId: string }>;
  createSecretId(role: string): Promise<string>;
  /** A secret id inside a wrapping token. */
  wrapSecretId(role: string): Promise<string>;
  /** Creates a wrapping token that wraps foreign data. */
  wrap(data: Json): Promise<string>;
  /** True while a wrapping token was not unwrapped. */
  isWrapped(token: string): Promise<boolean>;
  /** Removes all objects that this administrator created. */
  close(): Promise<void>;
}

export interface AdminOptions {
  readonly address: string;
  /** Of the policy `root`. */
  readonly token: string;
  /** Prefix of the names of all created objects. */
  readonly prefix: string;
}

const WRAP_SECONDS = 3600;

interface Call {
  readonly path: string;
  readonly method?: string;
  readonly body?: Json;
  /** Lifetime of the wrapping token in seconds; the reply is wrapped. */
  readonly wrapTtl?: number;
  /** Sent without a token. */
  readonly anonymous?: true;
}

/** Data, or the `auth` or `wrap_info` block, of a reply; throws when the server refuses. */
type Ask = (call: Call) => Promise<Json>;

export function openVaultAdmin(options: AdminOptions): VaultAdmin {
  const ask = createAsk(options);
  const made: string[] = [];
  const tokens: string[] = [];
  const at = (name: string): string => `${options.prefix}${name}`;
  const make = async (path: string, body: Json): Promise<void> => {
    await ask({ method: 'POST', path, body });
    made.push(path);
  };
  return {
    mountKv: (name, version) =>
      make(`sys/mounts/${at(name)}`, { type: 'kv', options: { version: String(version) } }),
    unmount: async (name) => {
      await ask({ method: 'DELETE', path: `sys/mounts/${at(name)}` });
    },
    enableAppRole: (name) => make(`sys/auth/${at(name)}`, { type: 'approle' }),
    putPolicy: (name, paths) => {
      // Some servers ignore a policy without rules.
      const stated = { 'nothing-else/*': ['deny'], ...paths };
      const rules = Object.entries(stated).map(([path, capabilities]) => [at(path), { capabilities }]);
      // JSON is read as HCL is.
      return make(`sys/policies/acl/${at(name)}`, {
        policy: JSON.stringify({ path: Object.fromEntries(rules) as Json }),
      });
    },
    ...secretsOf(ask, at),
    ...loginsOf(ask, { at, prefix: options.prefix, tokens }),
    close: async () => {
      // The result is ignored: expired tokens can no longer be revoked.
      for (const token of tokens)
        await succeeds(ask({ method: 'POST', path: 'auth/token/revoke', body: { token } }));
      for (const path of [...new Set(made)].reverse()) await ask({ method: 'DELETE', path });
    },
  };
}

type At = (name: string) => string;

function secretsOf(
  ask: Ask,
  at: At,
): Pick<VaultAdmin, 'putSecret' | 'deleteVersion' | 'destroyVersion' | 'deleteLater'> {
  /** Version 1 has its secrets at the mount itself. */
  const isPlain = async (mount: string): Promise<boolean> => {
    const { options } = await ask({ path: `sys/internal/ui/mounts/${at(mount)}` });
    return (options as Json | null)?.['version'] !== '2';
  };
  const below = (section: string, { mount = 'secret', path }: SecretLocation): string =>
    `${at(mount)}/${section}/${path}`;
  return {
    putSecret: async (place, data) => {
      const { mount = 'secret', path } = place;
      const plain = await isPlain(mount);
      await ask({
        method: 'POST',
        ...(plain
          ? { path: `${at(mount)}/${path}`, body: data }
          : { path: below('data', place), body: { data } }),
      });
    },
    deleteVersion: async (place, version) => {
      await ask({ method: 'POST', path: below('delete', place), body: { versions: [version] } });
    },
    destroyVersion: async (place, version) => {
      await ask({ method: 'POST', path: below('destroy', place), body: { versions: [version] } });
    },
    deleteLater: async (place, seconds) => {
      const body = { delete_version_after: `${seconds}s` };
      await ask({ method: 'POST', path: below('metadata', place), body });
    },
  };
}

type Logins = Pick<
  VaultAdmin,
  | 'createToken'
  | 'revokeToken'
  | 'knowsToken'
  | 'createAppRole'
  | 'createSecretId'
  | 'wrapSecretId'
  | 'wrap'
  | 'isWrapped'
>;

function loginsOf(
  ask: Ask,
  { at, prefix, tokens }: { readonly at: At; readonly prefix: string; readonly tokens: string[] },
): Logins {
  const role = (name: string): string => `auth/${at('approle')}/role/${name}`;
  const createSecretId = async (name: string): Promise<string> => {
    const { secret_id: id } = await ask({ method: 'POST', path: `${role(name)}/secret-id` });
    return String(id);
  };
  const token = async (call: Call): Promise<string> =>
    String((await ask({ method: 'POST', ...call }))['token']);
  return {
    createToken: async (terms) => {
      const body = tokenTerms(terms, { prefix, before: '' });
      const auth = await ask({
        method: 'POST',
        path: 'auth/token/create',
        body: { ...body, no_parent: true },
      });
      const made = String(auth['client_token']);
      tokens.push(made);
      return made;
    },
    revokeToken: async (one) => {
      await ask({ method: 'POST', path: 'auth/token/revoke', body: { token: one } });
    },
    knowsToken: (one) => succeeds(ask({ method: 'POST', path: 'auth/token/lookup', body: { token: one } })),
    createAppRole: async (name, terms) => {
      const body = tokenTerms(
        { ...(terms.period === undefined && { ttl: 1200 }), ...terms },
        { prefix, before: 'token_' },
      );
      await ask({ method: 'POST', path: role(name), body });
      const { role_id: roleId } = await ask({ path: `${role(name)}/role-id` });
      return { roleId: String(roleId), secretId: await createSecretId(name) };
    },
    createSecretId,
    wrapSecretId: (name) => token({ path: `${role(name)}/secret-id`, wrapTtl: WRAP_SECONDS }),
    wrap: (data) => token({ path: 'sys/wrapping/wrap', body: data, wrapTtl: WRAP_SECONDS }),
    isWrapped: (one) =>
      succeeds(ask({ method: 'POST', path: 'sys/wrapping/lookup', body: { token: one }, anonymous: true })),
  };
}

function succeeds(asked: Promise<unknown>): Promise<boolean> {
  return asked.then(
    () => true,
    () => false,
  );
}

/** Returns the terms under their names in Vault; those of a role begin with `token_`. */
function tokenTerms(
  { policies, ttl, maxTtl, renewable, type, period, numUses }: TokenTerms,
  { prefix, before }: { readonly prefix: string; readonly before: string },
): Json {
  const named = {
    policies: policies.map((name) => (name === 'root' ? name : `${prefix}${name}`)),
    ttl,
    [before === '' ? 'explicit_max_ttl' : 'max_ttl']: maxTtl,
    period,
    num_uses: numUses,
    type,
  };
  return {
    ...Object.fromEntries(Object.entries(named).map(([name, value]) => [`${before}${name}`, value])),
    ...(renewable !== undefined && { renewable }),
  };
}

/** Maximum number of polls while Vault prepares a new KV version 2 mount. */
const UPGRADES = 100;

function createAsk({ address, token }: AdminOptions): Ask {
  return async ({ method = 'GET', path, body, wrapTtl, anonymous }) => {
    for (let left = UPGRADES; ; left -= 1) {
      const reply = await fetch(`${address}/v1/${path.split('/').map(encodeURIComponent).join('/')}`, {
        method,
        headers: {
          ...(!anonymous && { 'X-Vault-Token': token }),
          'X-Vault-Request': 'true',
          ...(wrapTtl !== undefined && { 'X-Vault-Wrap-TTL': String(wrapTtl) }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await reply.text();
      if (reply.ok) return partOf(text);
      if (left === 0 || !text.includes('Upgrading from non-versioned'))
        throw new Error(`Vault refused ${method} ${path}: ${reply.status} ${text}`);
    }
  };
}

function partOf(text: string): Json {
  if (text === '') return {};
  const reply = JSON.parse(text) as Readonly<Record<string, Json | null>>;
  return reply['wrap_info'] ?? reply['auth'] ?? reply['data'] ?? {};
}
