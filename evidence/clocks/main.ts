import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { verifyAudit } from '../../src/cli/audit.js';
import { until } from '../../test/support/until.js';
import { report } from '../report.js';
import {
  type ClockEnvironment,
  LENT_SECONDS,
  LOCK_SECONDS,
  openClockEnvironment,
  OPEN_MS,
  TOTAL_MS,
} from './clock-environment.js';

// L9: the system time changes while gatehouse serves. Tokens are checked by the new time; durations do not
// change. `npm run evidence -- clocks [ROUNDS]`
const ROUNDS = Number(process.argv[2] ?? '3');
const [MINUTE, HOUR, DAY] = [60, 3_600, 86_400];
/** Successive offsets of the clock from the system time, in seconds. */
const PLACES = [
  ...[HOUR, 0, -HOUR, 0, 400 * DAY, -400 * DAY, 0],
  // Past the last second that 32 bits hold, and back.
  ...[Math.ceil(2 ** 31 - Date.now() / 1000) + HOUR, 0],
];
/** Once a second, a second back, as often. */
const CREEPS = 10;
/**
 * Maximum number of requests to Vault in the time of a renewal: a check of the secrets and a login, in
 * addition to the renewals.
 */
const MOST_ASKED = 20;
/** Maximum delay of a timer on a busy machine, in milliseconds. */
const LATE_MS = 10_000;

const environment = await openClockEnvironment();
if (typeof environment === 'string') process.stderr.write(`clocks: skipped, since ${environment}\n`);
else await reportClocks(environment);

async function reportClocks(opened: ClockEnvironment): Promise<void> {
  const violations: string[] = [];
  let jumps = 0;
  for (let round = 0; round < ROUNDS; round += 1)
    for (const place of PLACES) {
      jumps += 1;
      const wrong = await jump(opened, place);
      violations.push(...wrong.map((words) => `set to ${place} s: ${words}`));
      for (const words of wrong) process.stderr.write(`set to ${place} s: ${words}\n`);
    }
  violations.push(...(await creep(opened)));
  const { server, configPath } = opened;
  if (server.out().includes('uncaught error; continuing')) violations.push('an uncaught error');
  violations.push(...(await opened.close()));
  const { whole, records } = await verifyAudit({
    input: { configPath, env: {} },
    files: [],
    keyFile: undefined,
    expected: undefined,
  });
  if (!whole) violations.push('the audit trail is broken');
  report('clocks', jumps > 0 && violations.length === 0, {
    jumps,
    creeps: CREEPS,
    audited: records,
    violations: violations.length,
    first: violations.slice(0, 10),
  });
}

/**
 * Sets the clock during a call that is never answered, while a breaker is open and Vault has leased
 * credentials.
 */
async function jump(opened: ClockEnvironment, place: number): Promise<readonly string[]> {
  const { clock, orchestrators, vault, call } = opened;
  const previous = await opened.tokenOf(clock.now());
  await call('GET', '/json-forms/forms', { token: previous });
  orchestrators.setBroken(true);
  const beforeBreak = await opened.query('broken');
  const begun = performance.now();
  const stuck = opened.query('mute').then((status) => ({ status, ms: performance.now() - begun }));
  await Promise.race([until(() => orchestrators.held() > 0), stuck]);

  const ahead = place - (clock.now() - Date.now()) / 1000;
  clock.set(place);
  orchestrators.setBroken(false);
  vault.log.length = 0;
  const [ready, query, form] = [
    (await call('GET', '/readyz')).status,
    await opened.query('sound'),
    await call('POST', '/json-forms/forms', { body: { name: `at ${clock.now()}`, struct: {} } }),
  ];
  return [
    ...(beforeBreak === 502 ? [] : [`a broken orchestrator gave ${beforeBreak}`]),
    ...(ready === 200 ? [] : [`readiness ${ready}`]),
    ...(query === 200 ? [] : [`a query gave ${query}`]),
    ...(form.status === 200 ? [] : [`a form gave ${form.status}: ${form.text.slice(0, 100)}`]),
    ...(await wrongTokens(opened, { former: previous, ahead })),
    ...(await wrongLock(opened)),
    ...(await wrongBreaker(opened)),
    ...wrongDeadline(await stuck),
    ...(await wrongRenewals(opened)),
  ];
}

/**
 * Returns the faults in the checks of tokens: a current token is accepted; a future token and an expired
 * token are refused, even if the latter was accepted before.
 */
async function wrongTokens(
  { clock, tokenOf, call }: ClockEnvironment,
  { former: previous, ahead }: { readonly former: string; readonly ahead: number },
): Promise<readonly string[]> {
  const now = clock.now();
  const expected = [
    ['of now', await tokenOf(now), 200],
    ['that has expired', await tokenOf(now - 2 * HOUR * 1000), 401],
    ['of a time to come', await tokenOf(now + 2 * HOUR * 1000), 401],
    ['from before', previous, ahead > 10 * MINUTE ? 401 : 200],
  ] as const;
  const wrong: string[] = [];
  for (const [what, token, status] of expected) {
    const found = (await call('GET', '/json-forms/forms', { token })).status;
    if (found !== status) wrong.push(`a token ${what}: ${found}`);
  }
  return wrong;
}

/**
 * Returns the fault if a name is not locked after wrong passwords, or for longer than without a change of
 * the clock.
 */
async function wrongLock({ call }: ClockEnvironment): Promise<readonly string[]> {
  const body = { username: 'mallory', password: 'a guess' };
  const first = await call('POST', '/login', { body });
  // The first wrong password locks the name, unless it is locked already.
  const { status, headers } = first.status === 401 ? await call('POST', '/login', { body }) : first;
  const seconds = Number(headers['retry-after'] ?? 0);
  const isRight = status === 429 && seconds > 0 && seconds <= LOCK_SECONDS;
  return isRight ? [] : [`a wrong password gave ${status}, to be tried again after ${seconds} s`];
}

/** Returns the faults of the circuit breaker: an adapter must be tried again after its pause. */
async function wrongBreaker({ query }: ClockEnvironment): Promise<readonly string[]> {
  const begun = performance.now();
  while (performance.now() - begun < OPEN_MS * 2 + LATE_MS) {
    if ((await query('broken')) === 200) return [];
    await pause(100);
  }
  return ['the breaker stays open'];
}

function wrongDeadline({ status, ms }: { readonly status: number; readonly ms: number }): readonly string[] {
  const inTime = ms > TOTAL_MS / 2 && ms < TOTAL_MS + LATE_MS;
  return status === 504 && inTime
    ? []
    : [`a call without an answer ended with ${status} after ${Math.round(ms)} ms`];
}

/**
 * Returns the faults of renewals: token and leases are renewed before they expire, without constant requests
 * to Vault.
 */
async function wrongRenewals({ vault }: ClockEnvironment): Promise<readonly string[]> {
  const begun = performance.now();
  const has = (end: string): boolean => vault.log.some(({ path }) => path.endsWith(end));
  const isRenewed = (): boolean => has('/auth/token/renew-self') && has('/sys/leases/renew');
  while (!isRenewed() && performance.now() - begun < LENT_SECONDS * 1000 + LATE_MS) await pause(50);
  return [
    ...(isRenewed() ? [] : [`not renewed: asked for ${vault.log.map(({ path }) => path).join(' ')}`]),
    ...(vault.log.length <= MOST_ASKED ? [] : [`Vault was asked ${vault.log.length} times`]),
  ];
}

/** The clock loses a second each second. */
async function creep({ clock, query, call }: ClockEnvironment): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (let back = 1; back <= CREEPS; back += 1) {
    clock.set(-back);
    const name = `creeping ${back}`;
    const form = await call('POST', '/json-forms/forms', { body: { name, struct: {} } });
    const statuses = [await query('sound'), form.status].join(' ');
    if (statuses !== '200 200') wrong.push(`${back} seconds back: ${statuses}`);
    await pause(1_000);
  }
  return wrong;
}
