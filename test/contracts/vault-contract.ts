import assert from 'node:assert/strict';
import { Agent, request } from 'undici';
import { isJsonObject } from '../../src/json/json-object.js';
import { type Certificate, makeCertificate } from '../support/certificates.js';
import { openedBySuite } from '../support/opened.js';
import { makeIssuer } from '../support/tokens.js';
import type { VaultDouble } from '../support/vault-double.js';
import type { Json } from '../support/vault-double/state.js';
import { CASES, SEALED_CASES, type VaultCase } from './vault-cases.js';

type Arrangements =
  | 'seal'
  | 'unseal'
  | 'mountDatabase'
  | 'putPolicy'
  | 'putSecret'
  | 'deleteVersion'
  | 'destroyVersion'
  | 'createToken'
  | 'createAppRole'
  | 'createLoginRole'
  | 'close';

/**
 * Arranges the state of a server with the API of Vault at an address with https: the double, or a real server. It
 * begins as {@link VaultDouble} does.
 */
export type VaultAdministrator = Pick<VaultDouble, 'address' | 'rootToken'> & {
  readonly [Name in Arrangements]: (
    ...given: Parameters<VaultDouble[Name]>
  ) => ReturnType<VaultDouble[Name]> | Promise<ReturnType<VaultDouble[Name]>>;
} & {
  /** Wraps a new secret id of the AppRole `app`, or a new token; returns the wrapping token. */
  wrap(creationPath: 'auth/approle/role/app/secret-id' | 'auth/token/create'): string | Promise<string>;
};

/** The parts of a request that differ from a GET with the token `root`. */
export interface AskOptions {
  /** Name of a token of {@link VaultBench.tokens}, a token, or an empty text for none. */
  readonly token?: string;
  /** Sent with POST; without a body the request is a GET. */
  readonly body?: Json;
  readonly namespace?: string;
}

export interface Reply {
  readonly status: number;
  /** Parsed JSON; undefined without a body. */
  readonly body: unknown;
}

/** A server with the state that all cases share. */
export interface VaultBench {
  readonly admin: VaultAdministrator;
  /** Tokens by the name of their policy. */
  readonly tokens: Readonly<Record<string, string>>;
  /** Credentials of the AppRole `app`. */
  readonly role: { readonly role_id: string; readonly secret_id: string };
  /** A token that the roles of the method `jwt` accept, and one with another subject. */
  readonly jwt: { readonly accepted: string; readonly other: string };
  /** Sends a request, with the client certificate that the role `edge` of the method `cert` accepts. */
  readonly ask: (path: string, options?: AskOptions) => Promise<Reply>;
}

/**
 * Defines the tests that every server with the API of Vault passes: it answers the requests of gatehouse with the
 * status and the members that gatehouse reads. `open` starts a server whose method `jwt` trusts the key, in PEM.
 */
export function vaultContract(open: (jwtKey: string) => Promise<VaultAdministrator>): void {
  let bench: VaultBench;
  const opened = openedBySuite();
  before(async () => {
    const issuer = makeIssuer();
    await opened({
      close: () => {
        issuer.remove();
      },
    });
    const admin = await opened(open(issuer.publicKey.export({ type: 'spki', format: 'pem' }).toString()));
    const certificate = await makeCertificate({ dns: 'edge.example' });
    // The tests of TLS check certificates of servers.
    const agent = await opened(new Agent({ connect: { rejectUnauthorized: false, ...certificate } }));
    const jwt = { accepted: issuer.sign({ sub: 'edge' }), other: issuer.sign({ sub: 'other' }) };
    const state = { ...(await arrange(admin, { certificate, jwt: jwt.accepted })), jwt, admin };
    bench = { ...state, ask: (path, options) => send(agent, path, { ...state, ...options }) };
  });

  const define = ([title, asked, status, body, options]: VaultCase): Mocha.Test =>
    it(title, async () => {
      const reply = await (typeof asked === 'string' ? bench.ask(asked, options) : asked(bench));
      assert.deepEqual(
        { status: reply.status, body: readPart(reply.body, body) },
        { status, body },
        JSON.stringify(reply),
      );
    });
  for (const [group, cases] of Object.entries(CASES))
    describe(group, () => {
      cases.forEach(define);
    });

  describe('while sealed', () => {
    before(() => bench.admin.seal());
    after(() => bench.admin.unseal());
    SEALED_CASES.forEach(define);
  });
}

/** Creates the mounts, secrets, policies, tokens and roles of the cases. */
async function arrange(
  admin: VaultAdministrator,
  { certificate, jwt }: { readonly certificate: Certificate; readonly jwt: string },
): Promise<Pick<VaultBench, 'tokens' | 'role'>> {
  await admin.mountDatabase('database');
  for (const [path, data] of SECRETS) await admin.putSecret({ path }, data);
  await admin.deleteVersion({ path: 'a/deleted' }, 1);
  await admin.destroyVersion({ path: 'a/destroyed' }, 1);
  for (const path of ['x', 'w/kept', 'folder/x'])
    await admin.putSecret({ mount: 'kv', path }, { k: 'v', n: 1 });
  const tokens: Record<string, string> = { root: admin.rootToken, unknown: 'hvs.000000000000000000000000' };
  for (const [name, paths] of Object.entries(POLICIES)) {
    await admin.putPolicy(name, paths);
    tokens[name] = await admin.createToken({ policies: [name], ttl: 3600 });
  }
  const { roleId, secretId } = await admin.createAppRole('app', { policies: ['reader'] });
  const role = { policies: ['reader'], ttl: 90 };
  await admin.createLoginRole('edge', { kind: 'jwt', credential: jwt, ...role });
  await admin.createLoginRole('edge', { kind: 'cert', credential: certificate.cert, ...role });
  return { tokens, role: { role_id: roleId, secret_id: secretId } };
}

const SECRETS: readonly (readonly [path: string, data: Json])[] = [
  ['a/x', { k: 'first' }],
  ['a/x', { k: 'second' }],
  ['a/x/below', { k: 'v' }],
  ['a/empty', {}],
  ['a/nested', { k: 'v', inner: { deep: 1 }, list: [1] }],
  ['a/sp ace', { k: 'spaced' }],
  ['a/deleted', { k: 'v' }],
  ['a/destroyed', { k: 'v' }],
  ['w/kept', { k: 'v' }],
];

const POLICIES = {
  reader: {
    'secret/data/a/*': ['read'],
    'secret/subkeys/a/*': ['read'],
    'secret/metadata/a/*': ['list'],
    'kv/*': ['read', 'list'],
  },
  creator: { 'secret/data/w/*': ['create'], 'kv/w/*': ['create'] },
  changer: { 'secret/data/w/*': ['update'], 'kv/w/*': ['update'] },
  nobody: {},
};

async function send(
  dispatcher: Agent,
  path: string,
  { admin, tokens, token = 'root', body, namespace }: Pick<VaultBench, 'admin' | 'tokens'> & AskOptions,
): Promise<Reply> {
  const sent = tokens[token] ?? token;
  const reply = await request(`${admin.address}/v1/${path}`, {
    dispatcher,
    method: body ? 'POST' : 'GET',
    headers: {
      'x-vault-request': 'true',
      ...(sent !== '' && { 'x-vault-token': sent }),
      ...(namespace !== undefined && { 'x-vault-namespace': namespace }),
      ...(body && { 'content-type': 'application/json' }),
    },
    body: body ? JSON.stringify(body) : null,
  });
  const text = await reply.body.text();
  return { status: reply.statusCode, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
}

/**
 * Returns the members of a value that an expectation names. A pattern, or `String` and `Number` for a text and a
 * number, take the place of a value that they describe.
 */
function readPart(value: unknown, expected: unknown): unknown {
  if (describes(expected, value)) return expected;
  if (Array.isArray(value) && Array.isArray(expected))
    return value.map((one, at) => readPart(one, expected[at]));
  if (!isJsonObject(value) || !isJsonObject(expected) || Object.keys(expected).length === 0) return value;
  const members = Object.entries(expected).map(
    ([name, part]) => [name, readPart(value[name], part)] as const,
  );
  return Object.fromEntries(members);
}

function describes(expected: unknown, value: unknown): boolean {
  if (expected instanceof RegExp) return expected.test(String(value));
  if (expected === String) return typeof value === 'string' && value !== '';
  return expected === Number && typeof value === 'number';
}
