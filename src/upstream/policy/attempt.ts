import type { UpstreamReply } from '../../core/adapter.js';
import type { Clock } from '../../lib/clock.js';
import type { Send, SendTo, UpstreamCall } from '../send.js';
import type { Settlement } from '../settlement.js';
import { type Balancer, type Choice, resultOfError, resultOfReply } from './balance.js';
import type { AttemptResult } from './breaker.js';
import type { Queue } from './queue.js';

interface AttemptDeps {
  readonly queue: Queue;
  readonly balancer: Balancer;
  readonly clock: Clock;
  /** Receives each call that had to wait for a slot, and its wait in milliseconds. */
  readonly onWaited?: (call: UpstreamCall, ms: number) => void;
}

/**
 * Creates the function of one attempt of a call: it waits for a slot, selects a base URL, sends the call there, and gives the
 * result to the breaker of the base URL.
 */
export function createAttempt(deps: AttemptDeps, next: SendTo): Send {
  const { queue, clock, onWaited } = deps;
  return (call, settlement) => {
    call.queuedMs = undefined;
    let slot: Promise<void> | undefined;
    try {
      slot = queue.enter(call.deadline);
    } catch (error) {
      settlement.reject(error);
      return;
    }
    const attempt = new Attempt(call, settlement, deps);
    if (!slot) {
      attempt.send(next);
      return;
    }
    const from = clock.now();
    slot.then(
      () => {
        call.queuedMs = clock.now() - from;
        onWaited?.(call, call.queuedMs);
        attempt.send(next);
      },
      (error: unknown) => {
        settlement.reject(error);
      },
    );
  };
}

/** An attempt that has a slot. It releases the slot when it settles. A class for performance, because each call creates one. */
class Attempt implements Settlement<UpstreamReply> {
  readonly #call: UpstreamCall;
  readonly #settlement: Settlement<UpstreamReply>;
  readonly #deps: Pick<AttemptDeps, 'queue' | 'balancer'>;
  #choice: Choice | undefined;
  #hasSlot = true;

  constructor(
    call: UpstreamCall,
    settlement: Settlement<UpstreamReply>,
    deps: Pick<AttemptDeps, 'queue' | 'balancer'>,
  ) {
    this.#call = call;
    this.#settlement = settlement;
    this.#deps = deps;
  }

  send(next: SendTo): void {
    const call = this.#call;
    try {
      call.deadline.check();
      const choice = (this.#choice = this.#deps.balancer.choose(call.tried));
      const { endpoint } = choice;
      call.tried = call.tried.length === 0 ? [endpoint] : [...call.tried, endpoint];
      endpoint.inFlight += 1;
      next(call, endpoint, this);
    } catch (error) {
      this.reject(error);
    }
  }

  resolve(reply: UpstreamReply): void {
    if (this.#end(resultOfReply(reply))) this.#settlement.resolve(reply);
  }

  reject(error: unknown): void {
    if (this.#end(resultOfError(error, this.#call))) this.#settlement.reject(error);
  }

  /** Releases the slot and the base URL. Returns false for a second outcome, which must not release the slot of another call. */
  #end(result: AttemptResult): boolean {
    if (!this.#hasSlot) return false;
    this.#hasSlot = false;
    if (this.#choice) {
      this.#choice.endpoint.inFlight -= 1;
      this.#choice.permit.end(result);
    }
    this.#deps.queue.leave();
    return true;
  }
}
