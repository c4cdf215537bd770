import { Problem } from '../../core/problem.js';
import { adapterOf, type LeaseAdapter, type LeaseTerms, policyOf } from '../../core/snapshot.js';
import { valueAt } from '../../json/pointer.js';
import type { CancelSignal } from '../../lib/cancel-signal.js';
import type { Scheduler } from '../../lib/clock.js';
import type { ActiveSnapshot } from '../../server/state/snapshot.js';
import type { SnapshotHolder } from '../../server/state/swap.js';

interface LeaseDeps {
  readonly current: Pick<SnapshotHolder<ActiveSnapshot>, 'current' | 'lease' | 'onSwap'>;
  readonly scheduler: Scheduler;
}

/**
 * Creates the lease of adapters for calls. A call to an adapter that refuses calls is rejected. A call to a paused adapter waits,
 * within the limits of its queue, unless the access rules refuse it.
 */
export function createLeaseAdapter(deps: LeaseDeps): LeaseAdapter {
  const { current, scheduler } = deps;
  const waiting = new Map<string, number>();
  const waitIfSuspended = async (
    adapterId: string,
    { signal, principal, check }: LeaseTerms,
  ): Promise<void> => {
    check(policyOf(current.current(), adapterId, principal));
    if (isPaused(current, adapterId)) {
      const { maxWaiting, maxWaitMs } = queueLimitsOf(current.current(), adapterId);
      const queued = waiting.get(adapterId) ?? 0;
      if (queued >= maxWaiting) throw suspendedProblem(adapterId, `and ${queued} calls wait already`);
      waiting.set(adapterId, queued + 1);
      try {
        const endsAt = scheduler.now() + maxWaitMs;
        // The adapter may be paused again before this call continues.
        while (isPaused(current, adapterId))
          await waitUntilResumed(deps, { adapterId, signal, ms: endsAt - scheduler.now() });
      } finally {
        const remaining = (waiting.get(adapterId) ?? 1) - 1;
        if (remaining > 0) waiting.set(adapterId, remaining);
        else waiting.delete(adapterId);
      }
    }
  };
  return (adapterId, terms, work) => {
    const { principal } = terms;
    const lease = () =>
      current.lease((snapshot) =>
        work(adapterOf(snapshot, adapterId, principal), policyOf(snapshot, adapterId, principal)),
      );
    const isSuspended = current.current().suspended.has(adapterId);
    return isSuspended ? waitIfSuspended(adapterId, terms).then(lease) : lease();
  };
}

/** Returns true if the adapter is paused. Throws `adapter_suspended` if it refuses calls. */
function isPaused(current: LeaseDeps['current'], adapterId: string): boolean {
  const suspended = current.current().suspended.get(adapterId);
  if (suspended === 'refusing') throw suspendedProblem(adapterId, 'and refuses calls');
  return suspended === 'paused';
}

interface Wait {
  readonly adapterId: string;
  readonly signal: CancelSignal;
  readonly ms: number;
}

/**
 * Resolves when the adapter is no longer paused. Rejects when the caller cancels or the time limit passes. Removes all its
 * listeners, because an adapter can be paused for days.
 */
async function waitUntilResumed(
  { current, scheduler }: LeaseDeps,
  { adapterId, signal, ms }: Wait,
): Promise<void> {
  signal.throwIfAborted();
  let cleanups: readonly (() => void)[] = [];
  const resumed = new Promise<void>((resolve, reject) => {
    const check = (): void => {
      if (current.current().suspended.get(adapterId) !== 'paused') resolve();
    };
    const abort = (): void => {
      reject(signal.reason);
    };
    signal.addEventListener('abort', abort);
    cleanups = [
      current.onSwap(check),
      scheduler.after(ms, () => {
        reject(suspendedProblem(adapterId, 'and was not resumed within queue.waitMs'));
      }),
      () => {
        signal.removeEventListener('abort', abort);
      },
    ];
  });
  try {
    await resumed;
  } finally {
    for (const cleanup of cleanups) cleanup();
  }
}

/** Returns the limits of calls that wait for a paused adapter, which are those of its queue (configuration key `queue`). */
function queueLimitsOf(
  { written }: ActiveSnapshot,
  adapterId: string,
): { readonly maxWaiting: number; readonly maxWaitMs: number } {
  const value = written.get(adapterId);
  const limitAt = (pointer: string): number => Number(valueAt(value, pointer)) || 0;
  return { maxWaiting: limitAt('/queue/waiting'), maxWaitMs: limitAt('/queue/waitMs') };
}

function suspendedProblem(adapterId: string, reason: string): Problem {
  return new Problem('adapter_suspended', `the adapter "${adapterId}" is suspended, ${reason}`, {
    headers: { 'retry-after': '10' },
  });
}
