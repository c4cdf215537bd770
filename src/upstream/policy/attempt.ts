import type { Clock } from '../../core/lib/clock.js';
import type { Send, SendTo, UpstreamCall } from '../send.js';
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
 * result to the breaker of the base URL. One function, because each asynchronous function costs every call a promise.
 */
export function createAttempt({ queue, balancer, clock, onWaited }: AttemptDeps, next: SendTo): Send {
  return async (call) => {
    const slot = queue.enter(call.deadline);
    call.queuedMs = undefined;
    if (slot) {
      const from = clock.now();
      await slot;
      call.queuedMs = clock.now() - from;
      onWaited?.(call, call.queuedMs);
    }
    let choice: Choice | undefined;
    let result: AttemptResult = 'neither';
    try {
      call.deadline.check();
      choice = balancer.choose(call.tried);
      call.tried.push(choice.endpoint);
      choice.endpoint.inFlight += 1;
      const reply = await next(call, choice.endpoint);
      result = resultOfReply(reply);
      return reply;
    } catch (error) {
      result = resultOfError(error, call);
      throw error;
    } finally {
      if (choice) {
        choice.endpoint.inFlight -= 1;
        choice.permit.end(result);
      }
      queue.leave();
    }
  };
}
