import assert from 'node:assert/strict';
import { randomBytes, randomInt } from 'node:crypto';
import { fixedKeys } from '../../src/auth/issuer.js';
import { createVerifier } from '../../src/auth/verifier.js';
import type { TokenVerifier } from '../../src/core/principal.js';
import { manualClock, trustSecret } from '../../test/auth/fixtures.js';
import { makeIssuer, signToken } from '../../test/support/tokens.js';

/** CPU time of refusals by cause: a caller must not learn more from the time than from the reply. */
interface RefusalTimes {
  readonly rounds: number;
  /** Refusals for each cause in a round. */
  readonly each: number;
  /** Microseconds of one refusal: the median of the rounds. */
  readonly micros: Readonly<Record<string, number>>;
  /**
   * Welch's t between two causes; an absolute value above 4.5 means that an attacker could distinguish them
   * with this number of attempts.
   */
  readonly t: { readonly signatureAndKey: number; readonly firstAndLastByteOfMac: number };
}

const EACH = 20;

/** J11: measures the causes in random order, so that other programs and earlier work affect all of them. */
export function measureTimes(rounds: number): RefusalTimes {
  const { verifier, tokens } = arrange();
  const causes = Object.keys(tokens);
  const samples = new Map(causes.map((cause) => [cause, [] as number[]]));
  for (let round = -1; round < rounds; round += 1)
    for (const cause of shuffled(causes)) {
      const micros = timeOf(verifier, tokens[cause] ?? '');
      // The first round only warms up.
      if (round >= 0) samples.get(cause)?.push(micros);
    }
  const of = (cause: string): readonly number[] => samples.get(cause) ?? [];
  return {
    rounds,
    each: EACH,
    micros: Object.fromEntries(causes.map((cause) => [cause, median(of(cause))])),
    t: {
      signatureAndKey: welch(of('signature'), of('key')),
      firstAndLastByteOfMac: welch(of('firstByteOfMac'), of('lastByteOfMac')),
    },
  };
}

/** Creates a token for each cause, with only this fault, and the verifier that refuses them. */
function arrange(): { readonly verifier: TokenVerifier; readonly tokens: Readonly<Record<string, string>> } {
  const clock = manualClock();
  const now = (): number => clock.now();
  const idp = makeIssuer({ now, kid: 'known' });
  const other = makeIssuer({ now, kid: 'known' });
  const settings = { ...idp.settings, issuer: 'https://shared.test', algorithms: ['HS256'] };
  const secret = randomBytes(32);
  const key = { kid: 'known', algorithms: ['ES256'], key: idp.publicKey } as const;
  const issuers = [{ rules: idp.settings, keys: fixedKeys([key]) }, trustSecret(settings, secret)];
  const [header = '', payload = ''] = idp
    .sign({ iss: settings.issuer }, { alg: 'HS256' })
    .split('.')
    .map((part) => Buffer.from(part, 'base64url').toString());
  const mac = signToken({ algorithm: 'HS256', key: secret, header, payload });
  const tokens = {
    shape: 'no token',
    issuer: idp.sign({ iss: 'https://unknown.test' }),
    key: idp.sign({}, { kid: 'unknown' }),
    signature: other.sign(),
    audience: idp.sign({ aud: 'another' }),
    expiry: idp.sign({ exp: Math.floor(clock.now() / 1000) - 60 }),
    firstByteOfMac: withByteChanged(mac, 0),
    lastByteOfMac: withByteChanged(mac, 31),
  };
  idp.remove();
  other.remove();
  return { verifier: createVerifier({ issuers, clock, cacheSize: 0 }), tokens };
}

function shuffled<T>(values: readonly T[]): readonly T[] {
  const drawn = values.map((value) => ({ value, lot: randomInt(2 ** 32) }));
  return drawn.sort((one, other) => one.lot - other.lot).map(({ value }) => value);
}

function withByteChanged(token: string, at: number): string {
  const end = token.lastIndexOf('.') + 1;
  const signature = Buffer.from(token.slice(end), 'base64url');
  signature[at] = (signature[at] ?? 0) ^ 1;
  return token.slice(0, end) + signature.toString('base64url');
}

function timeOf(verifier: TokenVerifier, token: string): number {
  const before = process.cpuUsage();
  let refused = 0;
  for (let time = 0; time < EACH; time += 1) {
    try {
      void verifier.verify(token);
    } catch {
      refused += 1;
    }
  }
  const { user, system } = process.cpuUsage(before);
  assert.equal(refused, EACH);
  return (user + system) / EACH;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}

/** Returns Welch's t: the difference of two means divided by its standard error. */
function welch(one: readonly number[], other: readonly number[]): number {
  const [a, b] = [momentsOf(one), momentsOf(other)];
  return (a.mean - b.mean) / Math.sqrt(a.variance / one.length + b.variance / other.length);
}

function momentsOf(values: readonly number[]): { readonly mean: number; readonly variance: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, variance: squares / (values.length - 1) };
}
