import { sign } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, request, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { rsaKeys } from '../../test/support/keys.js';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { createVaultDouble } from '../../test/support/vault-double.js';
import { ask, countStatuses, type Reply, wrongStatuses } from './ask.js';
import { type Flood, partOf, type Run, type FloodOptions } from './flood.js';
import type { Target } from './target.js';

// F3: names that are never resolved delay no connection to other names. The flood runs in a network namespace
// with a silent name server, and with the names below in its hosts file.

/** The hosts file of the namespace. */
export const HOSTS = '127.0.0.1 localhost orchestrator.test vault.test\n';
export const RESOLVER = 'nameserver 127.0.0.1\noptions timeout:5 attempts:2\n';

const NAMES = 40;
/** The caller gives up after this time. */
const CALLER_PATIENCE_MS = 3_000;
const FLOOD_MS = 20_000;
const BETWEEN_REFRESHES_MS = 1_000;
/** How long a request of others may take, and how long it is waited for. */
const MOST_MS = 5_000;
const MOST_PATIENCE_MS = 15_000;
const ISSUER = 'https://issuer.test';
const AUDIENCE = 'gatehouse';
/** Keys that the issuer has published so far. */
const published: object[] = [];

/** Prepares an orchestrator, a Vault and an issuer that close each connection, so that each call looks up. */
async function prepare(): ReturnType<NonNullable<Flood['prepare']>> {
  createSocket('udp4').bind(53, '127.0.0.1').unref();
  const orchestrator = await serve((incoming, response) => {
    incoming.resume();
    response.setHeader('content-type', 'application/json').end('{}');
  });
  const issuer = await serve((incoming, response) => {
    incoming.resume();
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: published }));
  });
  publishKey('first');
  const vault = await createVaultDouble();
  vault.putSecret({ path: 'adapters/light' }, { password: 'S3cret-of-light' });
  const vaultPort = await serve(forwardTo(vault.address));
  const tokenFile = join(temporaryFolder().path, 'vault-token');
  writeFileSync(tokenFile, vault.rootToken, { mode: 0o600 });
  return {
    baseUrl: `http://orchestrator.test:${orchestrator}`,
    adapter: 'auth: { type: basic, username: a, password: $VAULT_adapters/light#password }',
    auth: `issuers: [{ issuer: "${ISSUER}", audience: ${AUDIENCE}, algorithms: [RS256], jwksUri: "http://localhost:${issuer}/jwks" }]`,
    sections: `vault: { address: "http://vault.test:${vaultPort}", allowInsecure: true, auth: { method: token, tokenFile: "${tokenFile}" } }`,
  };
}

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer((incoming, response) => {
    response.setHeader('connection', 'close');
    listener(incoming, response);
  });
  server.unref().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

function forwardTo(origin: string): RequestListener {
  return (incoming, response) => {
    const { method, headers } = incoming;
    const sent = request(`${origin}${incoming.url ?? '/'}`, { method: method ?? 'GET', headers }, (reply) => {
      const type = reply.headers['content-type'] ?? 'application/json';
      response.writeHead(reply.statusCode ?? 502, { 'content-type': type, connection: 'close' });
      reply.pipe(response);
    });
    sent.on('error', () => response.destroy());
    incoming.pipe(sent);
  };
}

function publishKey(kid: string): void {
  const jwk = rsaKeys(`floods-${kid}`).publicKey.export({ format: 'jwk' });
  published.push({ ...jwk, kid, use: 'sig', alg: 'RS256' });
}

function tokenOf(kid: string): string {
  const now = Math.floor(Date.now() / 1_000);
  const claims = { iss: ISSUER, aud: AUDIENCE, sub: 'ada', roles: ['admin'], iat: now, exp: now + 600 };
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${encode({ alg: 'RS256', typ: 'JWT', kid })}.${encode(claims)}`;
  const signature = sign('sha256', Buffer.from(text), rsaKeys(`floods-${kid}`).privateKey);
  return `${text}.${signature.toString('base64url')}`;
}

async function resolveSilentNames(target: Target, options: FloodOptions): Promise<Run> {
  const who = (kid: string): Promise<Reply> =>
    ask(target, { method: 'GET', path: '/whoami', token: tokenOf(kid), patienceMs: MOST_PATIENCE_MS });
  const refresh = (): Promise<Reply> => refreshSecrets(target);
  const [firstToken, firstRefresh] = [await who('first'), await refresh()];
  publishKey('second');
  const end = performance.now() + partOf(FLOOD_MS, options);
  const calls = Array.from({ length: partOf(NAMES, options) }, (_, at) =>
    ask(target, {
      method: 'POST',
      path: '/tools/restCall',
      token: target.engineerToken,
      body: { uri: `http://a${at}.hang.test/`, verb: 'GET', responseHeaders: true },
      patienceMs: CALLER_PATIENCE_MS,
    }),
  );
  await pause(1_000);
  const [newKey, ...refreshes] = await Promise.all([who('second'), refresh()]);
  while (performance.now() < end) {
    await pause(BETWEEN_REFRESHES_MS);
    refreshes.push(await refresh());
  }
  const statuses = (await Promise.all(calls)).map(({ status }) => status);
  const most = MOST_MS * options.noise;
  const isLate = ({ status, ms }: Reply): boolean => status !== 200 || ms > most;
  const of = ({ status, ms }: Reply): object => ({ status, ms: Math.round(ms) });
  return {
    figures: {
      names: statuses.length,
      statuses: countStatuses(statuses),
      issuer: { alone: of(firstToken), beside: of(newKey) },
      vault: { alone: of(firstRefresh), beside: refreshes.map(of) },
    },
    wrong: [
      // A caller who gives up has no status.
      ...wrongStatuses(statuses, { needed: [0], expected: [429, 502, 503, 504] }),
      ...(isLate(firstToken) || isLate(firstRefresh) ? ['the issuer or Vault failed before the flood'] : []),
      ...(isLate(newKey) ? [`a new key of the issuer: ${newKey.status} in ${Math.round(newKey.ms)} ms`] : []),
      ...(refreshes.some(isLate) ? ['Vault was not reached in time'] : []),
    ],
  };
}

/** Reads the secrets again; waits while the server refuses that because it has just done so. */
async function refreshSecrets(target: Target): Promise<Reply> {
  for (;;) {
    const reply = await ask(target, {
      method: 'POST',
      path: '/admin/vault/refresh',
      token: target.adminToken,
      patienceMs: MOST_PATIENCE_MS,
    });
    if (reply.status !== 429) return reply;
    await pause(BETWEEN_REFRESHES_MS);
  }
}

/** Names whose name server is silent. */
export const LOOK_UP_FLOODS: Readonly<Record<string, Flood>> = {
  'look-ups': {
    finding: 'F3',
    says: '40 restCalls to names that are never resolved, while an adapter, Vault and an issuer are called by name',
    run: resolveSilentNames,
    prepare,
    needsNamespace: true,
    watchMs: 15_000,
  },
};
