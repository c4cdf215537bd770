import { withTargetName } from '../../adapters/target-name.js';
import { operatorAdvice, Problem } from '../../core/problem.js';
import type { Clock } from '../../lib/clock.js';
import { createCooldown } from '../../lib/cooldown.js';
import type { ActiveSnapshot } from '../../server/state/snapshot.js';
import type { SnapshotHolder } from '../../server/state/swap.js';
import type { AdapterTest, Monitoring } from './monitoring.js';

/** Minimum interval between two tests of the same adapter in milliseconds, because each test reaches its orchestrator. */
const TEST_INTERVAL_MS = 2_000;

/**
 * Creates a function that probes the orchestrator of an adapter at once, as the periodic probe does. The result counts for the
 * state of the connection. An adapter that has not started is started first.
 */
export function createAdapterTest(
  current: SnapshotHolder<ActiveSnapshot>,
  clock: Clock,
): Monitoring['testAdapter'] {
  const cooldown = createCooldown(clock, TEST_INTERVAL_MS);
  return async (name): Promise<AdapterTest> => {
    const instance = current.current().adapters.get(name);
    if (!instance) return { untried: 'unknown' };
    const { name: state } = instance.state();
    if (state !== 'RUNNING' && state !== 'STARTING') return { untried: 'not running' };
    if (!instance.testConnection) return { untried: 'no probe' };
    const waitMs = cooldown(name);
    if (waitMs > 0) return { untried: 'too soon', waitMs };
    try {
      await instance.testConnection();
    } catch (error) {
      const connection = instance.connection().state;
      if (!(error instanceof Problem)) return { ok: false, connection, cause: 'the probe failed', fix: null };
      const cause = withTargetName(error.message, instance);
      return { ok: false, connection, cause, fix: operatorAdvice(error) ?? null };
    }
    const { state: connection, reason } = instance.connection();
    // A probe that only opens a connection does not disprove credentials that a call found refused.
    if (connection !== 'OFFLINE' && connection !== 'LOGIN_REFUSED') return { ok: true, connection };
    return { ok: false, connection, cause: reason ?? 'the latest call failed', fix: null };
  };
}
