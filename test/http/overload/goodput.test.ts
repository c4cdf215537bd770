import assert from 'node:assert/strict';
import { createCallLimit } from '../../../src/http/overload/overload-detector.js';

const LIMITS = { calls: 5_000, loopDelayMs: 50 };
/** CPU time of a call in milliseconds: half on arrival, half after the reply of its orchestrator. */
const WORK_MS = 2;
const REFUSAL_MS = 0.02;
const WAIT_MS = 20;
const TIMEOUT_MS = 1_000;
const POLL_MS = 100;
const CAPACITY = 1_000 / WORK_MS;

/**
 * Simulates a machine with one event loop and its own clock. Returns the number of calls per second that are
 * answered before their callers give up.
 */
function answeredInTime(perSecond: number, limits: typeof LIMITS, seconds = 30): number {
  const limit = createCallLimit(limits);
  const waiting: { readonly due: number; readonly back: number }[] = [];
  const turns: number[] = [];
  let [now, arrived, good, sampledAt] = [0, 0, 0, 0];
  while (now < seconds * 1_000) {
    const turnStart = now;
    // All calls that arrived since the start of the previous turn are the work of one turn.
    const [incoming, answers] = [Math.floor((turnStart * perSecond) / 1_000), waiting.length];
    for (; arrived < incoming; arrived += 1) {
      const isAdmitted = !limit.isExceeded(waiting.length + 1);
      now += isAdmitted ? WORK_MS / 2 : REFUSAL_MS;
      if (isAdmitted) waiting.push({ due: (arrived * 1_000) / perSecond, back: now + WAIT_MS });
    }
    const known = waiting.splice(0, answers);
    waiting.push(...known.filter(({ back }) => back > turnStart));
    for (const { due } of known.filter(({ back }) => back <= turnStart)) {
      now += WORK_MS / 2;
      if (now - due <= TIMEOUT_MS) good += 1;
    }
    now = Math.max(now, turnStart + 1);
    turns.push(now - turnStart);
    if (now - sampledAt < POLL_MS) continue;
    limit.sample(weighted(turns.splice(0)));
    sampledAt = now;
  }
  return (good * 1_000) / now;
}

function weighted(turns: readonly number[]): number {
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  return sum(turns.map((turn) => turn ** 2)) / sum(turns);
}

describe('the calls answered in time', () => {
  const peak = answeredInTime(CAPACITY * 0.95, LIMITS);

  it('are all calls below the capacity', () => {
    assert.ok(peak >= CAPACITY * 0.94, String(peak));
  });

  for (const times of [1, 2, 5])
    it(`stay at 90 % of the peak or more at ${times} times the capacity`, () => {
      const part = answeredInTime(CAPACITY * times, LIMITS) / peak;
      assert.ok(part >= 0.9, String(part));
    });

  it('stay at 90 % of the peak or more at ten times the capacity, minus the time for refusals', () => {
    const left = 1 - (CAPACITY * 10 * REFUSAL_MS) / 1_000;
    const part = answeredInTime(CAPACITY * 10, LIMITS) / (peak * left);
    assert.ok(part >= 0.9, String(part));
  });

  it('are less than 20 % of the peak without a limit', () => {
    const part = answeredInTime(CAPACITY * 2, { calls: Infinity, loopDelayMs: Infinity }) / peak;
    assert.ok(part < 0.2, String(part));
  });
});
