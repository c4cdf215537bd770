import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cheapHash } from '../../support/password-hash.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import type { VaultDouble } from '../../support/vault-double.js';
import { startTestServer, type TestServer } from '../../support/test-server.js';
import { type ClientCase, kinds, replay, senders } from './replay.js';

const { string, object, literal, like, model, listOf } = kinds;

const USER = { username: 'admin@pronghorn', password: 'pw-77c1-of-the-admin' };
const CLIENT = { id: '678ec2', secret: 's3cret-19ab-of-the-client' };

/** Adds the first user of the platform and a client. */
function addAccounts(folder: string, vault: VaultDouble): void {
  vault.putSecret({ path: 'adapters/logins' }, { client: cheapHash(CLIENT.secret) });
  const path = join(folder, 'gatehouse.yaml');
  const users = `{ username: '${USER.username}', passwordHash: '${cheapHash(USER.password)}', roles: [admin] }`;
  const clients = `{ clientId: '${CLIENT.id}', clientSecretHash: $VAULT_adapters/logins#client, roles: [admin] }`;
  const auth = `auth: { local: { keyFile: data/local-issuer.pem, users: [${users}], clients: [${clients}] } }`;
  writeFileSync(
    path,
    readFileSync(path, 'utf8').replace(/^auth: .*$/m, () => auth),
  );
}

/** Raw text without quotes, line breaks and characters that a URL or a cookie must escape. */
const token = like('^[\\w.~-]+$');
const asPlainText = { type: 'text/plain', reply: token, shows: 'nothing', keeps: { text: '' } } as const;
const person = model({
  id: string,
  username: literal(USER.username),
  provenance: literal('local_aaa'),
  firstname: string,
  groups: listOf(model({ id: string, provenance: string, name: string })),
  routes: listOf(string),
  methods: object,
  roles: listOf(like('^[0-9a-f]{24}$')),
});
const program = model({ username: literal(CLIENT.id), roles: listOf(string) });
const whoami = { method: 'GET', path: '/whoami' } as const;
const grant = `client_id=${CLIENT.id}&client_secret=${CLIENT.secret}&grant_type=client_credentials`;
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const basic = (name: string, password: string) =>
  `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;

const cases: readonly ClientCase[] = [
  {
    name: 'ipctl and ipsdk log in, and use the cookie',
    request: { method: 'POST', path: '/login', headers: senders.ipctl, body: { user: USER } },
    ...asPlainText,
  },
  { name: '... which they send with later requests', request: whoami, shows: 'jar', reply: person },
  {
    name: 'itential-mcp keeps its session alive with a request that must not remove the cookie',
    request: { ...whoami, headers: senders.ipsdk },
    shows: 'jar',
    reply: object,
  },
  { name: '... and sends the cookie again', request: whoami, shows: 'jar', reply: person },
  {
    name: 'iap-sdk logs in, and reads the token from the body',
    request: { method: 'POST', path: '/login', headers: senders.requests, body: { user: USER } },
    ...asPlainText,
  },
  {
    name: '... which it sends as a cookie',
    request: { ...whoami, headers: { ...senders.requests, 'cookie': 'token={text}', 'content-type': 'application/json' } }, // prettier-ignore
    shows: 'nothing',
    reply: person,
  },
  {
    name: 'the collection itential.platform logs in, and reads the token from the body',
    request: { method: 'POST', path: '/login', headers: senders.ansible, body: { user: USER } },
    ...asPlainText,
  },
  {
    name: '... which it sends in every query',
    request: { method: 'GET', path: '/health/system?token={text}', headers: senders.ansible },
    shows: 'nothing',
    reply: model({ arch: string }),
  },
  {
    name: 'a playbook of itential.toolkit logs in with name and password at the top level of the body',
    request: { method: 'POST', path: '/login', body: USER },
    ...asPlainText,
  },
  {
    name: '... and appends the list query after the token',
    request: { method: 'GET', path: '/health/adapters?token={text}&contains=gateway' },
    shows: 'nothing',
    reply: model({ results: listOf(model({ id: string })) }),
  },
  {
    name: 'Itential.py logs in with a slash at the end, and keeps the cookie',
    request: { method: 'POST', path: '/login/', headers: senders.requests, body: { user: USER } },
    ...asPlainText,
  },
  {
    name: '... which it sends to a path with two slashes',
    request: { method: 'GET', path: '//json-forms/forms', headers: { 'content-type': 'application/json' } },
    shows: 'jar',
    reply: { type: 'array' },
  },
  {
    name: 'Itential.py reads the message of a failed login',
    request: { method: 'POST', path: '/login/', body: { user: { ...USER, password: 'admin' } } },
    shows: 'nothing',
    status: 401,
    type: 'application/problem+json',
    reply: model({ message: literal('Invalid credentials') }),
  },
  {
    name: 'ipctl treats 401 as an expired session',
    request: { ...whoami, headers: { ...senders.ipctl, cookie: 'token=9f0999c2-7054-4820-8eeb-c3052d30acaa' } }, // prettier-ignore
    shows: 'nothing',
    status: 401,
    type: 'application/problem+json',
    reply: model({ message: string }),
  },
  {
    name: 'ipctl and ipsdk request a client token with a form',
    request: { method: 'POST', path: '/oauth/token', headers: form, text: grant },
    shows: 'nothing',
    reply: model({ access_token: token, token_type: literal('Bearer'), expires_in: { type: 'integer', minimum: 1 } }), // prettier-ignore
    keeps: { access: '/access_token' },
  },
  {
    name: '... and send it as Bearer',
    request: { ...whoami, headers: { ...senders.ipctl, authorization: 'Bearer {access}' } },
    shows: 'nothing',
    reply: program,
  },
  {
    name: 'an OAuth client may send its secret as Basic (RFC 6749 section 2.3.1)',
    request: { method: 'POST', path: '/oauth/token', headers: { ...form, authorization: basic(CLIENT.id, CLIENT.secret) }, text: 'grant_type=client_credentials' }, // prettier-ignore
    shows: 'nothing',
    reply: model({ access_token: token, expires_in: { type: 'integer' } }),
  },
  {
    name: 'the SDK of itential-automation-start sends it in the query',
    request: { ...whoami, path: '/whoami?token={access}' },
    shows: 'nothing',
    reply: program,
  },
  {
    name: 'an OAuth client reads the error for a wrong secret',
    request: { method: 'POST', path: '/oauth/token', headers: form, text: grant.replace('s3cret', 'none') },
    shows: 'nothing',
    status: 401,
    type: 'application/problem+json',
    reply: model({ error: literal('invalid_client'), message: string }),
  },
  {
    name: 'curl -u sends name and password with the call',
    request: { ...whoami, headers: { authorization: basic(USER.username, USER.password) } },
    shows: 'nothing',
    reply: person,
  },
  {
    name: 'the version is plain text for every logged-in caller',
    request: { method: 'GET', path: '/version', headers: senders.ansible },
    shows: 'query',
    type: 'text/plain',
    reply: like('^\\d+\\.\\d+\\.\\d+'),
  },
  {
    name: 'asyncplatform reads the API description',
    request: { method: 'GET', path: '/help/openapi?url=http://127.0.0.1:3000', headers: senders.ipsdk },
    shows: 'cookie',
    reply: model({ openapi: string, paths: object }),
  },
  {
    name: 'a load balancer probes without a login',
    request: { method: 'GET', path: '/health/status?exclude-services=true' },
    shows: 'nothing',
    reply: model({ host: string, apps: literal('running', 'degraded'), adapters: literal('running', 'degraded') }), // prettier-ignore
  },
];

describe('clients that log in', () => {
  let testServer: TestServer;
  before(async () => {
    testServer = await startTestServer({ folder: temporaryFolder().path, arrange: addAccounts });
  });
  after(() => testServer.close());

  replay(() => testServer, cases);
});
