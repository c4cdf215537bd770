import type { QueueSettings } from '../../core/adapter-settings.js';
import { Problem } from '../../core/problem.js';
import type { Deadline } from '../deadline.js';
import type { Send } from '../send.js';

/** Places for calls that are on their way, and the line in front of them: first come, first served. */
export interface Queue {
  /** Takes a place that is free; false when there is none. */
  tryEnter(): boolean;
  /** Takes a place: at once, or by and by. Throws `upstream_busy` when the line is full or moves too slowly. */
  enter(deadline: Deadline): Promise<void> | undefined;
  /** Gives a place back. */
  leave(): void;
  inFlight(): number;
  waiting(): number;
  /** Calls that were refused a place, or waited for it too long. */
  refused(): number;
}

/** Makes a queue with all places free. */
export function createQueue({ concurrent, waiting, waitMs }: QueueSettings): Queue {
  const line = new Set<() => void>();
  let inFlight = 0;
  let refused = 0;
  const busy = (detail: string): Problem => {
    refused += 1;
    return new Problem('upstream_busy', detail, { headers: { 'retry-after': '1' } });
  };
  async function wait(deadline: Deadline): Promise<void> {
    deadline.phase = 'waiting for its turn';
    deadline.check();
    await new Promise<void>((resolve, reject) => {
      const settle = (outcome: () => void): void => {
        line.delete(onTurn);
        cancel();
        release();
        outcome();
      };
      const onTurn = (): void => {
        settle(resolve);
      };
      const cancel = deadline.after(waitMs, () => {
        settle(() => {
          reject(busy(`no place became free within ${waitMs} ms; ${concurrent} calls are on their way`));
        });
      });
      line.add(onTurn);
      const release = deadline.onEnd((reason) => {
        settle(() => {
          reject(reason);
        });
      });
    });
  }
  const tryEnter = (): boolean => {
    if (inFlight >= concurrent) return false;
    inFlight += 1;
    return true;
  };
  return {
    tryEnter,
    enter(deadline) {
      if (tryEnter()) return undefined;
      if (line.size < waiting) return wait(deadline);
      throw busy(`${concurrent} calls are on their way, and ${line.size} wait`);
    },
    leave() {
      // A place goes from hand to hand, so that nobody slips in between.
      const [next] = line;
      if (next) next();
      else inFlight -= 1;
    },
    inFlight: () => inFlight,
    waiting: () => line.size,
    refused: () => refused,
  };
}

/** Sends when there is a place for the call, and gives the place back whatever happens. */
export function withConcurrencyLimit(queue: Queue, next: Send): Send {
  return async (call) => {
    const turn = queue.enter(call.deadline);
    if (turn) await turn;
    try {
      call.deadline.check();
      return await next(call);
    } finally {
      queue.leave();
    }
  };
}
