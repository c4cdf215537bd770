import type { CancelSignal } from '../../lib/cancel-signal.js';
import type { PathSegments } from './related-path.js';

/** A request that several callers wait for. */
export interface Flight<T> {
  readonly segments: PathSegments;
  /** Fires when all callers have left. */
  readonly signal: CancelSignal;
  readonly result: Promise<T>;
  /** True after a change that the reply may not show. */
  isOutdated: boolean;
  waiting: number;
  cancel(reason: Error): void;
}

/** Starts a request that callers join. */
export function startFlight<T>(segments: PathSegments, work: (flight: Flight<T>) => Promise<T>): Flight<T> {
  const controller = new AbortController();
  let settle: (result: Promise<T>) => void = () => undefined;
  const result = new Promise<T>((resolve) => {
    settle = resolve;
  });
  const flight: Flight<T> = {
    segments,
    signal: controller.signal,
    result,
    isOutdated: false,
    waiting: 0,
    cancel: (reason) => {
      controller.abort(reason);
    },
  };
  settle(work(flight));
  return flight;
}

/**
 * Waits for the result. Throws the reason of the caller's signal when it fires. The last caller that leaves cancels the
 * request, after `onAbandoned`.
 */
export async function joinFlight<T>(
  flight: Flight<T>,
  caller: CancelSignal,
  onAbandoned: () => void,
): Promise<T> {
  caller.throwIfAborted();
  flight.waiting += 1;
  let leave: () => void = () => undefined;
  try {
    return await new Promise<T>((resolve, reject) => {
      leave = () => {
        reject(caller.reason);
      };
      caller.addEventListener('abort', leave, { once: true });
      flight.result.then(resolve, reject);
    });
  } finally {
    caller.removeEventListener('abort', leave);
    flight.waiting -= 1;
    if (caller.aborted && flight.waiting === 0) {
      onAbandoned();
      flight.cancel(caller.reason);
    }
  }
}
