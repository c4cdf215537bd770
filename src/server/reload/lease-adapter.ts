import type { CancelSignal } from '../../core/cancel-signal.js';
import type { Scheduler } from '../../core/lib/clock.js';
import { valueAt } from '../../core/pointer.js';
import { Problem } from '../../core/problem.js';
import { adapterOf, type LeaseAdapter } from '../../core/snapshot.js';
import type { SnapshotHolder } from './snapshot-holder.js';
import type { ActiveSnapshot } from './active-snapshot.js';

interface LeaseDeps {
  readonly current: Pick<SnapshotHolder<ActiveSnapshot>, 'current' | 'lease' | 'onSwap'>;
  readonly scheduler: Scheduler;
}

/** The way of calls to adapters: past those that operators refuse, and in line for those that are paused. */
export function createLeaseAdapter(deps: LeaseDeps): LeaseAdapter {
  const { current, scheduler } = deps;
  const waiting = new Map<string, number>();
  return async (adapterId, signal, work) => {
    if (isPaused(current, adapterId)) {
      const { most, ms } = withoutQueueLimits(current.current(), adapterId);
      const others = waiting.get(adapterId) ?? 0;
      if (others >= most) throw suspendedProblem(adapterId, `and ${others} calls wait already`);
      waiting.set(adapterId, others + 1);
      try {
        const endsAt = scheduler.now() + ms;
        // It may be paused anew, or refuse, by the time that this call goes on.
        while (isPaused(current, adapterId))
          await resumed(deps, { adapterId, signal, ms: endsAt - scheduler.now() });
      } finally {
        const left = (waiting.get(adapterId) ?? 1) - 1;
        if (left > 0) waiting.set(adapterId, left);
        else waiting.delete(adapterId);
      }
    }
    return current.lease((snapshot) => work(adapterOf(snapshot, adapterId)));
  };
}

/** Throws `adapter_suspended` where calls are turned away. */
function isPaused(current: LeaseDeps['current'], adapterId: string): boolean {
  const suspended = current.current().suspended.get(adapterId);
  if (suspended === 'refusing') throw suspendedProblem(adapterId, 'and turns calls away');
  return suspended === 'paused';
}

interface Wait {
  readonly adapterId: string;
  readonly signal: CancelSignal;
  readonly ms: number;
}

/**
 * Resolves when the adapter is not paused any more. Rejects when the caller leaves, and when it takes too long. Leaves
 * nothing behind: an adapter may be paused for days.
 */
async function resumed({ current, scheduler }: LeaseDeps, { adapterId, signal, ms }: Wait): Promise<void> {
  signal.throwIfAborted();
  let cancel: readonly (() => void)[] = [];
  const going = new Promise<void>((resolve, reject) => {
    const look = (): void => {
      if (current.current().suspended.get(adapterId) !== 'paused') resolve();
    };
    const leave = (): void => {
      reject(signal.reason);
    };
    signal.addEventListener('abort', leave);
    cancel = [
      current.onSwap(look),
      scheduler.after(ms, () => {
        reject(suspendedProblem(adapterId, 'and did not come back within queue.waitMs'));
      }),
      () => {
        signal.removeEventListener('abort', leave);
      },
    ];
  });
  try {
    await going;
  } finally {
    for (const off of cancel) off();
  }
}

/** Calls may wait for a paused adapter as they may wait for their turn (configuration key `queue`). */
function withoutQueueLimits(
  { written }: ActiveSnapshot,
  adapterId: string,
): { readonly most: number; readonly ms: number } {
  const value = written.get(adapterId);
  const number = (pointer: string): number => Number(valueAt(value, pointer)) || 0;
  return { most: number('/queue/waiting'), ms: number('/queue/waitMs') };
}

function suspendedProblem(adapterId: string, how: string): Problem {
  return new Problem('adapter_suspended', `the adapter "${adapterId}" is suspended, ${how}`, {
    headers: { 'retry-after': '10' },
  });
}
