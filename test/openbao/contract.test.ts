import assert from 'node:assert/strict';
import { request as undiciRequest } from 'undici';
import { isJsonObject, type JsonObject } from '../../src/core/json-object.js';
import { OPENBAO } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { type OpenBao, startOpenBao } from '../support/openbao.js';
import { createVaultDouble, type VaultDouble } from '../support/vault-double.js';
import { CONTRACT, type ContractServer, type ServerReply, type ServerRequest } from './contract-cases.js';

/** The double must answer as the real server does, so that a test on the double proves something. */
describeWith(OPENBAO, 'the Vault double, compared with a real OpenBao', () => {
  let bao: OpenBao;
  let vault: VaultDouble;
  let servers: { readonly double: ContractServer; readonly real: ContractServer };
  before(async () => {
    bao = await startOpenBao();
    vault = await createVaultDouble({ flavour: 'openbao' });
    const real = clientOf(bao.address, bao.token);
    await real('POST', 'sys/namespaces/team1');
    await real('POST', 'sys/mounts/kv', { body: { type: 'kv', options: { version: '1' } } });
    await real('POST', 'sys/mounts/database', { body: { type: 'database' } });
    await real('POST', 'sys/auth/approle', { body: { type: 'approle' } });
    const inNamespace = { 'x-vault-namespace': 'team1' };
    const kv2 = { type: 'kv', options: { version: '2' } };
    await real('POST', 'sys/mounts/secret', { body: kv2, headers: inNamespace });
    vault.mountKv('secret', 2, 'team1');
    vault.mountDatabase('database');
    servers = {
      double: await prepare(clientOf(vault.address, vault.rootToken)),
      real: await prepare(real),
    };
  });
  after(async () => {
    await bao.close();
    await vault.close();
  });

  for (const { title, run, exact = [], differs } of CONTRACT) {
    const isSame = differs === undefined;
    it(`${title}: ${isSame ? 'answers the same' : `differs: ${differs.reason}`}`, async () => {
      const [double, real] = [await run(servers.double), await run(servers.real)];
      if (differs) {
        assert.deepEqual([double.status, real.status], [differs.double, differs.real]);
        return;
      }
      assert.deepEqual(comparable(double, exact), comparable(real, exact));
    });
  }
});

type Client = (method: string, path: string, request?: ServerRequest) => Promise<ServerReply>;

function clientOf(address: string, root: string, tokens: Readonly<Record<string, string>> = {}): Client {
  const named = { root, ...tokens };
  return async (method, path, { token = 'root', body, headers } = {}) => {
    const value = token === 'none' ? undefined : ((named as Record<string, string>)[token] ?? token);
    const reply = await undiciRequest(`${address}/v1/${path}`, {
      method: method as 'GET',
      headers: {
        'x-vault-request': 'true',
        ...(value !== undefined && { 'x-vault-token': value }),
        ...headers,
      },
      body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
    });
    return { status: reply.statusCode, body: parsed(await reply.body.text()) };
  };
}

/** Creates the same secrets, policies, tokens and roles on a server. */
async function prepare(client: Client): Promise<ContractServer> {
  const made = async (path: string, body: JsonObject, method = 'POST'): Promise<ServerReply> => {
    const reply = await client(method, path, { body });
    if (reply.status > 204) throw new Error(`${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply;
  };
  for (const [path, data] of Object.entries(SECRETS)) await made(`secret/data/${path}`, { data });
  await made('secret/data/a/x', { data: { k: 'second' } });
  await made('secret/delete/a/deleted', { versions: [1] });
  await made('secret/destroy/a/destroyed', { versions: [1] });
  for (const name of ['x', 'gone']) await made(`kv/${name}`, { k: 'v' });
  const paths = { 'secret/data/a/*': { capabilities: ['read'] }, 'kv/*': { capabilities: ['read'] } };
  await made('sys/policies/acl/reader', { policy: JSON.stringify({ path: paths }) }, 'PUT');
  const token = async (policies: readonly string[]): Promise<string> => {
    const { body } = await made('auth/token/create', { policies, ttl: 3600, no_parent: true });
    return (body as { auth: { client_token: string } }).auth.client_token;
  };
  const tokens = {
    reader: await token(['reader']),
    denied: await token(['default']),
    unknown: 's.000000000000000000000000',
  };
  const role = { token_policies: ['reader'], token_ttl: 1200 };
  await made('auth/approle/role/app', role);
  await made('auth/approle/role/locked', role);
  await made('auth/approle/role/batch', { ...role, token_type: 'batch' });
  const { body } = await client('GET', 'auth/approle/role/app/role-id');
  const root = { ...tokens };
  return {
    tokens,
    roleId: (body as { data: { role_id: string } }).data.role_id,
    ask: (method, path, request = {}) =>
      client(method, path, {
        ...request,
        ...(request.token !== undefined && {
          token: (root as Record<string, string>)[request.token] ?? request.token,
        }),
      }),
  };
}

const SECRETS: Readonly<Record<string, JsonObject>> = {
  'a/x': { k: 'first' },
  'a/nested': { k: 'v', inner: { deep: 1 }, list: [1] },
  'a/empty': {},
  'a/deleted': { k: 'v' },
  'a/destroyed': { k: 'v' },
  'a/gone': { k: 'v' },
  'a/many': { k: 'v' },
  'a/sp%20ace': { k: 'spaced' },
  'b/x': { k: 'v' },
};

function parsed(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** Returns what must be equal: the status, the types of all members, the texts of errors, and chosen values. */
function comparable({ status, body }: ServerReply, exact: readonly string[]): unknown {
  return {
    status,
    body: typesIn(body),
    errors: isJsonObject(body) ? body['errors'] : undefined,
    exact: exact.map((path) => valueAt(body, path)),
  };
}

function typesIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(typesIn);
  if (!isJsonObject(value)) return value === null ? 'null' : typeof value;
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, typesIn(member)]));
}

function valueAt(body: unknown, path: string): unknown {
  return path
    .split('.')
    .filter((name) => name !== '')
    .reduce<unknown>((value, name) => (isJsonObject(value) ? value[name] : undefined), body);
}
