import type { JsonObject } from '../../src/core/json-object.js';

/** A reply of the double or of the real server. */
export interface ServerReply {
  readonly status: number;
  /** Parsed JSON, the text of any other body, or undefined for none. */
  readonly body: unknown;
}

export interface ServerRequest {
  /** Name of a token of {@link ContractServer.tokens}, `none`, or a token. Default: `root`. */
  readonly token?: string;
  /** Sent as JSON; a string is sent as it is. */
  readonly body?: JsonObject | string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A server with the API of Vault: the double, or a real OpenBao. */
export interface ContractServer {
  /** Tokens by name: `root`, `reader` (policy `reader`), `denied` (no policy), `unknown`. */
  readonly tokens: Readonly<Record<string, string>>;
  readonly roleId: string;
  ask(method: string, path: string, request?: ServerRequest): Promise<ServerReply>;
}

/** A request that both servers get; `run` returns the reply that is compared. */
export interface ContractCase {
  readonly title: string;
  readonly run: (server: ContractServer) => Promise<ServerReply>;
  /** Members whose values must be equal, as paths such as `data.num_uses`. Of others, only the types are compared. */
  readonly exact?: readonly string[];
  /** Statuses of a difference that remains, and the reason why no test relies on it. */
  readonly differs?: { readonly double: number; readonly real: number; readonly reason: string };
}

/** Returns a case that sends one request, for example `GET secret/data/a/x`. */
function one(
  title: string,
  target: string,
  more: ServerRequest & Pick<ContractCase, 'exact' | 'differs'> = {},
): ContractCase {
  const { exact, differs, ...request } = more;
  const [method = '', path = ''] = target.split(' ');
  return {
    title,
    run: (server) => server.ask(method, path, request),
    ...(exact && { exact }),
    ...(differs && { differs }),
  };
}

const memberOf = (reply: ServerReply, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => (value as JsonObject | null | undefined)?.[name], reply.body);

/** Returns the string at a path of a reply; throws the reply if there is none. */
function textIn(reply: ServerReply, ...path: readonly string[]): string {
  const text = memberOf(reply, ...path);
  if (typeof text !== 'string')
    throw new Error(`no ${path.join('.')} in ${reply.status} ${JSON.stringify(reply.body)}`);
  return text;
}

const wrapped = async (server: ContractServer): Promise<string> =>
  textIn(
    await server.ask('POST', 'sys/wrapping/wrap', {
      body: { k: 'v' },
      headers: { 'x-vault-wrap-ttl': '60' },
    }),
    'wrap_info',
    'token',
  );

const newToken = async (server: ContractServer, body: JsonObject): Promise<string> =>
  textIn(
    await server.ask('POST', 'auth/token/create', { body: { policies: ['reader'], ...body } }),
    'auth',
    'client_token',
  );

const newSecretId = async (server: ContractServer, role = 'app'): Promise<string> =>
  textIn(await server.ask('POST', `auth/approle/role/${role}/secret-id`), 'data', 'secret_id');

const KV2: readonly ContractCase[] = [
  one('KV 2: read', 'GET secret/data/a/x', { exact: ['data.data', 'data.metadata.version'] }),
  one('KV 2: read a version', 'GET secret/data/a/x?version=1', { exact: ['data.data'] }),
  one('KV 2: read version 0', 'GET secret/data/a/x?version=0', { exact: ['data.metadata.version'] }),
  one('KV 2: read version -1', 'GET secret/data/a/x?version=-1', { exact: ['data.metadata.version'] }),
  one('KV 2: read an unknown version', 'GET secret/data/a/x?version=9'),
  one('KV 2: read a version that is no number', 'GET secret/data/a/x?version=x'),
  one('KV 2: read a path without a secret', 'GET secret/data/none'),
  one('KV 2: read a deleted version', 'GET secret/data/a/deleted'),
  one('KV 2: read a destroyed version', 'GET secret/data/a/destroyed'),
  one('KV 2: read a secret without members', 'GET secret/data/a/empty'),
  one('KV 2: read without a token', 'GET secret/data/a/x', { token: 'none' }),
  one('KV 2: read with an unknown token', 'GET secret/data/a/x', { token: 'unknown' }),
  one('KV 2: read without a policy', 'GET secret/data/a/x', { token: 'denied' }),
  one('KV 2: read with a policy', 'GET secret/data/a/x', { token: 'reader' }),
  one('KV 2: read beside the policy', 'GET secret/data/b/x', { token: 'reader' }),
  one('KV 2: read without data/', 'GET secret/a/x'),
  one('KV 2: read data/ without a path', 'GET secret/data/'),
  one('KV 2: read with an encoded path', 'GET secret/data/a/sp%20ace', { exact: ['data.data'] }),
  {
    title: 'KV 2: read with an empty segment',
    // The body of a redirect is a page for browsers.
    run: async (server) => ({ ...(await server.ask('GET', 'secret/data//a/x')), body: undefined }),
  },
  one('KV 2: read with a slash at the end', 'GET secret/data/a/x/'),
  one('KV 2: field names', 'GET secret/subkeys/a/nested', { exact: ['data.subkeys'] }),
  one('KV 2: field names of a version', 'GET secret/subkeys/a/x?version=1'),
  one('KV 2: field names of no members', 'GET secret/subkeys/a/empty'),
  one('KV 2: field names of a deleted version', 'GET secret/subkeys/a/deleted'),
  one('KV 2: field names without a secret', 'GET secret/subkeys/none'),
  one('KV 2: list a folder', 'GET secret/metadata/a/?list=true', { exact: ['data.keys'] }),
  one('KV 2: list a folder without its slash', 'GET secret/metadata/a?list=true', { exact: ['data.keys'] }),
  one('KV 2: list the mount', 'GET secret/metadata/?list=true'),
  one('KV 2: list a path without a folder', 'GET secret/metadata/none/?list=true'),
  one('KV 2: list a folder without metadata/', 'GET secret/a/?list=true'),
  one('KV 2: list without a policy', 'GET secret/metadata/a/?list=true', { token: 'reader' }),
  one('KV 2: metadata', 'GET secret/metadata/a/x', { exact: ['data.current_version'] }),
  one('KV 2: metadata without a secret', 'GET secret/metadata/none'),
  one('KV 2: write', 'POST secret/data/w/one', { body: { data: { k: 'v' } }, exact: ['data.version'] }),
  one('KV 2: write with PUT', 'PUT secret/data/w/put', { body: { data: { k: 'v' } } }),
  one('KV 2: write without data', 'POST secret/data/w/two', { body: { k: 'v' } }),
  one('KV 2: write without data/', 'POST secret/w/three', { body: { k: 'v' } }),
  one('KV 2: write without a policy', 'POST secret/data/w/x', {
    token: 'reader',
    body: { data: { k: 'v' } },
  }),
  one('KV 2: create with cas 0', 'POST secret/data/w/cas', {
    body: { data: { k: 'v' }, options: { cas: 0 } },
  }),
  one('KV 2: write with another cas', 'POST secret/data/a/x', {
    body: { data: { k: 'v' }, options: { cas: 7 } },
  }),
  one('KV 2: write with a cas that is no number', 'POST secret/data/a/x', {
    body: { data: { k: 'v' }, options: { cas: 'x' } },
  }),
  one('KV 2: delete the newest version', 'DELETE secret/data/a/gone'),
  one('KV 2: delete versions', 'POST secret/delete/a/many', { body: { versions: [1] } }),
  one('KV 2: undelete versions', 'POST secret/undelete/a/many', { body: { versions: [1] } }),
  one('KV 2: destroy versions', 'POST secret/destroy/a/many', { body: { versions: [1] } }),
  one('KV 2: set the time of deletion', 'POST secret/metadata/a/later', {
    body: { delete_version_after: '60s' },
  }),
  one('KV 2: set the number of versions', 'POST secret/metadata/a/later', { body: { max_versions: 3 } }),
  one('KV 2: list', 'LIST secret/metadata/a', {
    differs: {
      double: 400,
      real: 200,
      reason: 'gatehouse never lists; the double refuses, so that a request to list fails in tests',
    },
  }),
];

const KV1: readonly ContractCase[] = [
  one('KV 1: read', 'GET kv/x', { exact: ['data', 'lease_duration'] }),
  one('KV 1: read a path without a secret', 'GET kv/none'),
  one('KV 1: read with a version', 'GET kv/x?version=1', { exact: ['data'] }),
  one('KV 1: read data/', 'GET kv/data/x'),
  one('KV 1: list the mount', 'GET kv/?list=true'),
  one('KV 1: list a path without a folder', 'GET kv/none/?list=true'),
  one('KV 1: field names', 'GET kv/subkeys/x'),
  one('KV 1: read without a policy', 'GET kv/x', { token: 'denied' }),
  one('KV 1: write', 'POST kv/w', { body: { k: 'v' } }),
  one('KV 1: write without members', 'POST kv/w', { body: {} }),
  one('KV 1: delete', 'DELETE kv/gone'),
];

const MOUNTS: readonly ContractCase[] = [
  one('mounts: KV 2', 'GET sys/internal/ui/mounts/secret/a/x', { exact: ['data.path', 'data.options'] }),
  one('mounts: KV 1', 'GET sys/internal/ui/mounts/kv/x', { exact: ['data.path', 'data.options'] }),
  one('mounts: with a policy', 'GET sys/internal/ui/mounts/secret/a/x', { token: 'reader' }),
  one('mounts: without a policy', 'GET sys/internal/ui/mounts/secret/a/x', { token: 'denied' }),
  one('mounts: unknown', 'GET sys/internal/ui/mounts/nothing/x'),
  one('mounts: without a token', 'GET sys/internal/ui/mounts/secret/x', { token: 'none' }),
  one('mounts: with an unknown token', 'GET sys/internal/ui/mounts/secret/x', { token: 'unknown' }),
  one('mounts: with DELETE', 'DELETE sys/internal/ui/mounts/secret/x'),
  one('mounts: a mount that exists', 'POST sys/mounts/kv', { body: { type: 'kv' } }),
  one('mounts: an unknown engine', 'POST sys/mounts/other', { body: { type: 'no-such-engine' } }),
  one('unknown engine: read', 'GET nothing/x'),
  one('unknown engine: read without a policy', 'GET nothing/x', { token: 'denied' }),
  one('unknown engine: write', 'POST nothing/x', { body: { k: 'v' } }),
  one('unknown path of sys', 'GET sys/nothing'),
  one('policy in HCL', 'PUT sys/policies/acl/hcl', {
    body: { policy: 'path "secret/*" { capabilities = ["read"] }' },
    differs: {
      double: 400,
      real: 204,
      reason: 'tests write policies as JSON, which both read; the double has no parser for HCL',
    },
  }),
  one('policy in JSON', 'PUT sys/policies/acl/json', {
    body: { policy: '{"path":{"secret/*":{"capabilities":["read"]}}}' },
  }),
  one('policy that cannot be read', 'PUT sys/policies/acl/broken', {
    body: { policy: '{"path":' },
    differs: {
      double: 400,
      real: 204,
      reason:
        'OpenBao stores a policy without rules; the double refuses it, so that a mistake in a test shows',
    },
  }),
  one('capabilities of several paths', 'POST sys/capabilities-self', {
    token: 'reader',
    body: { paths: ['secret/data/a/x', 'secret/data/b/x'] },
    exact: ['data'],
  }),
  one('capabilities of one path', 'POST sys/capabilities-self', {
    token: 'reader',
    body: { paths: ['secret/data/a/x'] },
    exact: ['data'],
  }),
  one('capabilities of root', 'POST sys/capabilities-self', {
    body: { paths: ['secret/data/a/x'] },
    exact: ['data'],
  }),
];

const TOKENS: readonly ContractCase[] = [
  one('tokens: look up root', 'GET auth/token/lookup-self', { exact: ['data.ttl', 'data.expire_time'] }),
  one('tokens: look up a service token', 'GET auth/token/lookup-self', { token: 'reader' }),
  one('tokens: look up an unknown token', 'GET auth/token/lookup-self', { token: 'unknown' }),
  one('tokens: look up without a token', 'GET auth/token/lookup-self', { token: 'none' }),
  {
    title: 'tokens: look up a token of five uses',
    run: async (server) =>
      server.ask('GET', 'auth/token/lookup-self', { token: await newToken(server, { num_uses: 5 }) }),
    exact: ['data.num_uses'],
  },
  {
    title: 'tokens: look up a periodic token',
    run: async (server) =>
      server.ask('GET', 'auth/token/lookup-self', { token: await newToken(server, { period: 60 }) }),
    exact: ['data.period', 'data.creation_ttl', 'data.renewable'],
  },
  {
    title: 'tokens: look up a batch token',
    run: async (server) =>
      server.ask('GET', 'auth/token/lookup-self', {
        token: await newToken(server, { type: 'batch', ttl: 60 }),
      }),
    exact: ['data.type', 'data.renewable'],
  },
  {
    title: 'tokens: renew a batch token',
    run: async (server) =>
      server.ask('POST', 'auth/token/renew-self', {
        token: await newToken(server, { type: 'batch', ttl: 60 }),
      }),
  },
  {
    title: 'tokens: revoke a batch token itself',
    run: async (server) =>
      server.ask('POST', 'auth/token/revoke-self', {
        token: await newToken(server, { type: 'batch', ttl: 60 }),
      }),
  },
  {
    title: 'tokens: create with durations as text',
    run: (server) =>
      server.ask('POST', 'auth/token/create', {
        body: { policies: ['reader'], ttl: '60s', explicit_max_ttl: '2m' },
      }),
    exact: ['auth.lease_duration', 'auth.renewable', 'auth.token_type'],
  },
  {
    title: 'tokens: create a periodic token',
    run: (server) =>
      server.ask('POST', 'auth/token/create', { body: { policies: ['reader'], period: '90s' } }),
    exact: ['auth.lease_duration'],
  },
  {
    title: 'tokens: create a token that cannot be renewed',
    run: (server) =>
      server.ask('POST', 'auth/token/create', { body: { policies: ['reader'], ttl: 60, renewable: false } }),
    exact: ['auth.renewable'],
  },
  {
    title: 'tokens: renew',
    run: async (server) =>
      server.ask('POST', 'auth/token/renew-self', { token: await newToken(server, { ttl: 60 }) }),
    exact: ['auth.lease_duration', 'auth.renewable', 'warnings'],
  },
  {
    title: 'tokens: renew with an increment',
    run: async (server) =>
      server.ask('POST', 'auth/token/renew-self', {
        token: await newToken(server, { ttl: 60 }),
        body: { increment: '120s' },
      }),
    exact: ['auth.lease_duration'],
  },
  {
    title: 'tokens: renew near the maximum life',
    run: async (server) =>
      server.ask('POST', 'auth/token/renew-self', {
        token: await newToken(server, { ttl: 30, explicit_max_ttl: 31 }),
        body: { increment: '120s' },
      }),
  },
  {
    title: 'tokens: renew a periodic token',
    run: async (server) =>
      server.ask('POST', 'auth/token/renew-self', { token: await newToken(server, { period: 60 }) }),
    exact: ['auth.lease_duration'],
  },
  {
    title: 'tokens: renew a token that cannot be renewed',
    run: async (server) =>
      server.ask('POST', 'auth/token/renew-self', {
        token: await newToken(server, { ttl: 60, renewable: false }),
      }),
  },
  one('tokens: renew root', 'POST auth/token/renew-self'),
  one('tokens: renew an unknown token', 'POST auth/token/renew-self', { token: 'unknown' }),
  {
    title: 'tokens: revoke itself',
    run: async (server) =>
      server.ask('POST', 'auth/token/revoke-self', { token: await newToken(server, { ttl: 60 }) }),
  },
  {
    title: 'tokens: use after the revocation',
    run: async (server) => {
      const token = await newToken(server, { ttl: 60 });
      await server.ask('POST', 'auth/token/revoke-self', { token });
      return server.ask('GET', 'secret/data/a/x', { token });
    },
  },
  {
    title: 'tokens: look up another token',
    run: async (server) =>
      server.ask('POST', 'auth/token/lookup', { body: { token: await newToken(server, { ttl: 60 }) } }),
  },
  one('tokens: look up an unknown token for another', 'POST auth/token/lookup', {
    body: { token: 'nobody' },
  }),
  {
    title: 'tokens: revoke another token',
    run: async (server) =>
      server.ask('POST', 'auth/token/revoke', { body: { token: await newToken(server, { ttl: 60 }) } }),
  },
  one('tokens: revoke an unknown token', 'POST auth/token/revoke', { body: { token: 's.nobody' } }),
  one('tokens: create without a policy for it', 'POST auth/token/create', { token: 'reader', body: {} }),
  {
    title: 'tokens: the prefix of a service token',
    run: async (server) => ({ status: 0, body: (await newToken(server, { ttl: 60 })).split('.')[0] }),
    exact: [''],
  },
  {
    title: 'tokens: the prefix of a batch token',
    run: async (server) => ({
      status: 0,
      body: (await newToken(server, { ttl: 60, type: 'batch' })).split('.')[0],
    }),
    exact: [''],
  },
];

const WRAPPING: readonly ContractCase[] = [
  {
    title: 'wrapping: wrap',
    run: (server) =>
      server.ask('POST', 'sys/wrapping/wrap', { body: { k: 'v' }, headers: { 'x-vault-wrap-ttl': '60' } }),
    exact: ['wrap_info.ttl', 'wrap_info.creation_path'],
  },
  {
    title: 'wrapping: wrap with a duration as text',
    run: (server) =>
      server.ask('POST', 'sys/wrapping/wrap', { body: { k: 'v' }, headers: { 'x-vault-wrap-ttl': '60s' } }),
    exact: ['wrap_info.ttl'],
  },
  {
    title: 'wrapping: wrap a secret id',
    run: (server) =>
      server.ask('POST', 'auth/approle/role/app/secret-id', { headers: { 'x-vault-wrap-ttl': '60' } }),
    exact: ['wrap_info.creation_path'],
  },
  {
    title: 'wrapping: wrap a new token',
    run: (server) =>
      server.ask('POST', 'auth/token/create', {
        body: { policies: ['reader'] },
        headers: { 'x-vault-wrap-ttl': '60' },
      }),
    exact: ['wrap_info.creation_path'],
  },
  {
    title: 'wrapping: look up with the token in the body',
    run: async (server) =>
      server.ask('POST', 'sys/wrapping/lookup', { token: 'none', body: { token: await wrapped(server) } }),
    exact: ['data.creation_path', 'data.creation_ttl'],
  },
  {
    title: 'wrapping: look up with the token in the header',
    run: async (server) => server.ask('POST', 'sys/wrapping/lookup', { token: await wrapped(server) }),
  },
  {
    title: 'wrapping: look up with the token in header and body',
    run: async (server) => {
      const token = await wrapped(server);
      return server.ask('POST', 'sys/wrapping/lookup', { token, body: { token } });
    },
  },
  {
    title: 'wrapping: look up with GET',
    run: async (server) => server.ask('GET', 'sys/wrapping/lookup', { token: await wrapped(server) }),
  },
  one('wrapping: look up an unknown token', 'POST sys/wrapping/lookup', {
    token: 'none',
    body: { token: 's.nobody' },
  }),
  one('wrapping: look up no token', 'POST sys/wrapping/lookup', { token: 'none' }),
  {
    title: 'wrapping: unwrap with the token in the header',
    run: async (server) => server.ask('POST', 'sys/wrapping/unwrap', { token: await wrapped(server) }),
    exact: ['data'],
  },
  {
    title: 'vault review F2: unwrap with the token in the body and no other',
    run: async (server) =>
      server.ask('POST', 'sys/wrapping/unwrap', { token: 'none', body: { token: await wrapped(server) } }),
  },
  {
    title: 'wrapping: unwrap with the token in the body and another in the header',
    run: async (server) =>
      server.ask('POST', 'sys/wrapping/unwrap', { body: { token: await wrapped(server) } }),
    exact: ['data'],
  },
  {
    title: 'wrapping: unwrap with the token in header and body',
    run: async (server) => {
      const token = await wrapped(server);
      return server.ask('POST', 'sys/wrapping/unwrap', { token, body: { token } });
    },
  },
  {
    title: 'wrapping: unwrap twice',
    run: async (server) => {
      const token = await wrapped(server);
      await server.ask('POST', 'sys/wrapping/unwrap', { token });
      return server.ask('POST', 'sys/wrapping/unwrap', { token });
    },
  },
  {
    title: 'wrapping: look up after the unwrapping',
    run: async (server) => {
      const token = await wrapped(server);
      await server.ask('POST', 'sys/wrapping/unwrap', { token });
      return server.ask('POST', 'sys/wrapping/lookup', { token: 'none', body: { token } });
    },
  },
  one('wrapping: unwrap an unknown token', 'POST sys/wrapping/unwrap', { token: 's.nobody' }),
  {
    title: 'wrapping: unwrap a secret id',
    run: async (server) => {
      const reply = await server.ask('POST', 'auth/approle/role/app/secret-id', {
        headers: { 'x-vault-wrap-ttl': '60' },
      });
      return server.ask('POST', 'sys/wrapping/unwrap', { token: textIn(reply, 'wrap_info', 'token') });
    },
  },
  {
    title: 'wrapping: unwrap a token',
    run: async (server) => {
      const reply = await server.ask('POST', 'auth/token/create', {
        body: { policies: ['reader'] },
        headers: { 'x-vault-wrap-ttl': '60' },
      });
      return server.ask('POST', 'sys/wrapping/unwrap', { token: textIn(reply, 'wrap_info', 'token') });
    },
  },
  {
    title: 'wrapping: read with a wrapping token',
    run: async (server) => server.ask('GET', 'secret/data/a/x', { token: await wrapped(server) }),
  },
  {
    title: 'wrapping: look up a wrapping token as a token',
    run: async (server) => server.ask('GET', 'auth/token/lookup-self', { token: await wrapped(server) }),
  },
];

const LOGINS: readonly ContractCase[] = [
  {
    title: 'AppRole: log in',
    run: async (server) =>
      server.ask('POST', 'auth/approle/login', {
        token: 'none',
        body: { role_id: server.roleId, secret_id: await newSecretId(server) },
      }),
    exact: ['auth.lease_duration', 'auth.renewable', 'auth.policies', 'auth.metadata', 'auth.orphan'],
  },
  {
    title: 'AppRole: log in with a token in the header',
    run: async (server) =>
      server.ask('POST', 'auth/approle/login', {
        body: { role_id: server.roleId, secret_id: await newSecretId(server) },
      }),
  },
  {
    title: 'AppRole: log in for a batch token',
    run: async (server) => {
      const reply = await server.ask('GET', 'auth/approle/role/batch/role-id');
      return server.ask('POST', 'auth/approle/login', {
        token: 'none',
        body: { role_id: textIn(reply, 'data', 'role_id'), secret_id: await newSecretId(server, 'batch') },
      });
    },
    exact: ['auth.token_type', 'auth.renewable', 'auth.accessor'],
  },
  {
    title: 'AppRole: log in with a wrong secret id',
    run: (server) =>
      server.ask('POST', 'auth/approle/login', {
        token: 'none',
        body: { role_id: server.roleId, secret_id: 'wrong' },
      }),
  },
  one('AppRole: log in with an unknown role id', 'POST auth/approle/login', {
    token: 'none',
    body: { role_id: 'nobody', secret_id: 'wrong' },
  }),
  one('AppRole: log in without a role id', 'POST auth/approle/login', {
    token: 'none',
    body: { secret_id: 'x' },
  }),
  {
    title: 'AppRole: log in without a secret id',
    run: (server) =>
      server.ask('POST', 'auth/approle/login', { token: 'none', body: { role_id: server.roleId } }),
  },
  one('AppRole: log in with broken JSON', 'POST auth/approle/login', {
    token: 'none',
    body: '{"role_id":',
  }),
  one('AppRole: GET the login', 'GET auth/approle/login', { token: 'none' }),
  one('AppRole: log in at an unknown mount', 'POST auth/nothing/login', {
    token: 'none',
    body: { role_id: 'x' },
  }),
  one('AppRole: secret id of an unknown role', 'POST auth/approle/role/none/secret-id'),
  one('AppRole: role id of an unknown role', 'GET auth/approle/role/none/role-id'),
  one('AppRole: role id', 'GET auth/approle/role/app/role-id'),
  one('AppRole: new secret id', 'POST auth/approle/role/app/secret-id'),
  one('AppRole: create a role', 'POST auth/approle/role/other', { body: { token_policies: ['reader'] } }),
  one('AppRole: delete a role', 'DELETE auth/approle/role/other'),
  {
    title: 'AppRole: a role locked after five wrong secret ids',
    run: async (server) => {
      const roleId = textIn(await server.ask('GET', 'auth/approle/role/locked/role-id'), 'data', 'role_id');
      const logIn = (secretId: string): Promise<ServerReply> =>
        server.ask('POST', 'auth/approle/login', {
          token: 'none',
          body: { role_id: roleId, secret_id: secretId },
        });
      for (let times = 0; times < 5; times += 1) await logIn('wrong');
      return logIn(await newSecretId(server, 'locked'));
    },
  },
  one('login methods: enable the method again', 'POST sys/auth/approle', { body: { type: 'approle' } }),
  one('login methods: enable an unknown method', 'POST sys/auth/other', { body: { type: 'no-such' } }),
  one('login methods: enable kubernetes', 'POST sys/auth/kubernetes', { body: { type: 'kubernetes' } }),
];

const LEASES: readonly ContractCase[] = [
  one('leases: renew an unknown lease', 'PUT sys/leases/renew', {
    body: { lease_id: 'database/creds/x/nothing' },
  }),
  one('leases: renew with POST', 'POST sys/leases/renew', {
    body: { lease_id: 'database/creds/x/nothing' },
  }),
  one('leases: renew without a lease', 'PUT sys/leases/renew', { body: {} }),
  one('leases: revoke an unknown lease', 'PUT sys/leases/revoke', {
    body: { lease_id: 'database/creds/x/nothing' },
  }),
  one('leases: revoke without a lease', 'PUT sys/leases/revoke', { body: {} }),
  one('leases: revoke without a policy', 'PUT sys/leases/revoke', {
    token: 'reader',
    body: { lease_id: 'x/y' },
  }),
  one('database: an unknown role', 'GET database/creds/nothing'),
  one('database: an unknown static role', 'GET database/static-creds/nothing'),
  one('database: an unknown path', 'GET database/nothing/x'),
];

const HEALTH: readonly ContractCase[] = [
  one('health', 'GET sys/health', { token: 'none', exact: ['initialized', 'sealed', 'standby'] }),
  one('health: with another status', 'GET sys/health?activecode=299', { token: 'none' }),
  one('health: with a status that is no number', 'GET sys/health?activecode=x', { token: 'none' }),
  one('health: with HEAD', 'HEAD sys/health', { token: 'none' }),
  one('health: in a namespace', 'GET sys/health', {
    token: 'none',
    headers: { 'x-vault-namespace': 'team1' },
  }),
];

const NAMESPACES: readonly ContractCase[] = [
  one('namespaces: read by header', 'GET secret/data/a/x', { headers: { 'x-vault-namespace': 'team1' } }),
  one('namespaces: read by header with slashes', 'GET secret/data/a/x', {
    headers: { 'x-vault-namespace': 'team1/' },
  }),
  one('namespaces: read by path', 'GET team1/secret/data/a/x'),
  one('namespaces: an unknown namespace', 'GET secret/data/a/x', {
    headers: { 'x-vault-namespace': 'nothing' },
  }),
  one('namespaces: log in to an unknown namespace', 'POST auth/approle/login', {
    token: 'none',
    headers: { 'x-vault-namespace': 'nothing' },
    body: { role_id: 'x', secret_id: 'y' },
  }),
  one('namespaces: a token of the root in a namespace', 'GET secret/data/a/x', {
    token: 'reader',
    headers: { 'x-vault-namespace': 'team1' },
  }),
  one('namespaces: mounts', 'GET sys/internal/ui/mounts/secret/a/x', {
    headers: { 'x-vault-namespace': 'team1' },
  }),
];

/** All requests of the contract. */
export const CONTRACT: readonly ContractCase[] = [
  ...KV2,
  ...KV1,
  ...MOUNTS,
  ...TOKENS,
  ...WRAPPING,
  ...LOGINS,
  ...LEASES,
  ...HEALTH,
  ...NAMESPACES,
];
