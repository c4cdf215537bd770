import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import fc from 'fast-check';
import { bearerToken } from '../../src/auth/authenticate.js';
import { readHmacSecret } from '../../src/auth/keys.js';
import { createVerifier } from '../../src/auth/verifier.js';
import type { TokenVerifier } from '../../src/core/principal.js';
import { Secret } from '../../src/core/secret.js';
import type { Clock } from '../../src/lib/clock.js';
import { manualClock, trust } from '../../test/auth/fixtures.js';
import { mutations } from '../../test/auth/token-mutations.js';
import { startHttpTestServer } from '../../test/support/http-server.js';
import { makeIssuer, type TestIssuer } from '../../test/support/tokens.js';
import { suiteLines } from '../public-suite.js';
import type { Findings } from '../report.js';
import { playbook } from './playbook.js';
import type { TokenVector } from './token-vector.js';
import { ownVectors } from './vectors.js';
import { type Judge, judgeSuite } from './wycheproof.js';

/** The verifiers under test: of signatures, and of whole tokens. */
export interface Judges {
  readonly judge: Judge;
  readonly verifierOf: (issuers: readonly TestIssuer[], clock: Clock) => TokenVerifier;
}

/** Creates gatehouse's verifier without a cache. */
export const gatehouseVerifier: Judges['verifierOf'] = (issuers, clock) =>
  createVerifier({ issuers: issuers.map(trust), clock, cacheSize: 0 });

/** Shortest secret of HS256 to HS512. */
const SECRET_BYTES = 32;

/**
 * J1 to J7, J10: measures the public suites, the exploits of a tool, our own tokens, known secrets, and
 * `mutants` modified tokens.
 */
export async function measureJwt({ judge, verifierOf }: Judges, mutants: number): Promise<Findings> {
  const clock = manualClock();
  const idp = makeIssuer({ now: () => clock.now() });
  const verifier = verifierOf([idp], clock);
  const suites = Object.fromEntries(
    (['signature', 'key', 'crypto', 'encryption'] as const).map((name) => [name, judgeSuite(name, judge)]),
  );
  const connections = countConnections();
  const vectors = ownVectors(idp);
  const own = await measureTokens(verifier, vectors);
  const tool = await measureTokens(
    verifier,
    playbook(idp).map((token, at) => ({ id: 'J2', name: `playbook ${at}`, token, accepted: false })),
  );
  const outbound = connections.stop();
  const overHttp = await judgeOverHttp(verifier, vectors);
  const changed = await mutate(verifierOf, clock, mutants);
  const secrets = knownSecrets();
  idp.remove();
  const wrong = [
    ...Object.values(suites).flatMap((suite) => suite?.wrong ?? []),
    ...own.wrong,
    ...tool.wrong,
    ...overHttp.wrong,
  ];
  return {
    holds: wrong.length === 0 && changed.changed > 0 && changed.accepted === 0 && outbound === 0,
    figures: { suites, own, playbook: tool, overHttp, changed, outbound, secrets, wrong: wrong.slice(0, 10) },
  };
}

interface Verdicts {
  readonly vectors: number;
  readonly asSpecified: number;
  readonly wrong: readonly string[];
}

async function measureTokens(verifier: TokenVerifier, vectors: readonly TokenVector[]): Promise<Verdicts> {
  const wrong: string[] = [];
  for (const { id, name, token, accepted } of vectors)
    if ((await isAccepted(verifier, token)) !== accepted) wrong.push(`${id} ${name}`);
  return { vectors: vectors.length, asSpecified: vectors.length - wrong.length, wrong };
}

async function isAccepted(verifier: TokenVerifier, token: string): Promise<boolean> {
  try {
    await verifier.verify(token);
    return true;
  } catch {
    return false;
  }
}

/**
 * Checks the same tokens in the header of requests, as far as a header can contain them. Any valid token is
 * accepted, because the operations need no role here.
 */
async function judgeOverHttp(verifier: TokenVerifier, vectors: readonly TokenVector[]): Promise<Verdicts> {
  const testServer = await startHttpTestServer({
    deps: {
      authenticate: async ({ header }) => verifier.verify(bearerToken(header('authorization'))),
      rolesOf: () => 'authenticated',
    },
  });
  // Longer tokens exceed the limit of a request's head.
  const carried = vectors.filter(({ token }) => /^[\x21-\x7e]{1,15000}$/.test(token));
  const wrong: string[] = [];
  const refusals = new Set<string>();
  for (const { id, name, token, accepted } of carried) {
    const reply = await fetch(`${testServer.url}/demo/things/a`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const body = (await reply.text()).replace(/"requestId":"[^"]*"/, '');
    if (reply.status !== (accepted ? 200 : 401)) wrong.push(`${id} ${name} over HTTP: ${reply.status}`);
    if (reply.status === 401) refusals.add(body);
  }
  await testServer.close();
  // J11: all causes must have the same text.
  if (refusals.size > 1) wrong.push(`${refusals.size} different refusals`);
  return { vectors: carried.length, asSpecified: carried.length - wrong.length, wrong };
}

/** J10: valid tokens of three algorithms, changed at random; none that differs may be accepted. */
async function mutate(
  verifierOf: Judges['verifierOf'],
  clock: Clock,
  runs: number,
): Promise<{ readonly changed: number; readonly accepted: number }> {
  const issuers = ['ES256', 'RS256', 'PS256', 'ES384'].map((algorithm) =>
    makeIssuer({ algorithm, now: () => clock.now(), issuer: `https://${algorithm.toLowerCase()}.test` }),
  );
  const verifier = verifierOf(issuers, clock);
  const tokens = issuers.flatMap((idp) => [
    idp.sign(),
    idp.sign({ roles: [] }),
    idp.sign({}, { kid: undefined }),
  ]);
  const found = { changed: 0, accepted: 0 };
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...tokens), mutations, async (token, change) => {
      const other = change(token);
      if (tokens.includes(other)) return;
      found.changed += 1;
      if (await isAccepted(verifier, other)) found.accepted += 1;
    }),
    { numRuns: runs },
  );
  for (const idp of issuers) idp.remove();
  return found;
}

/**
 * Counts well-known secrets, if there is a copy of the list, and those of them that a configuration must not
 * use.
 */
function knownSecrets(): Readonly<Record<string, number>> {
  const secrets = suiteLines('.list', 'jwt-secrets');
  const refused = secrets.filter((secret) => 'fault' in readHmacSecret(new Secret(secret), ['HS256']));
  const short = secrets.filter((secret) => Buffer.byteLength(secret) < SECRET_BYTES);
  return { known: secrets.length, refused: refused.length, shorterThan32Bytes: short.length };
}

/** Counts the sockets that this process opens as a client. */
function countConnections(): { stop(): number } {
  let count = 0;
  const note = (): void => {
    count += 1;
  };
  subscribe('net.client.socket', note);
  return {
    stop() {
      unsubscribe('net.client.socket', note);
      return count;
    },
  };
}
