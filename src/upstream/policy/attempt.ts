import type { Clock } from '../../lib/clock.js';
import type { Endpoint } from '../endpoint.js';
import type { Layer, UpstreamCall } from '../send.js';
import { type Balancer, type Choice, endAttempt, resultOfError, resultOfReply } from './balance.js';
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
 * Creates the layer of one attempt: it waits for a slot, selects a base URL, and gives the result to the breaker of the base
 * URL.
 */
export function createAttempt({ queue, balancer, clock, onWaited }: AttemptDeps): Layer {
  return async (call, next) => {
    call.queuedMs = undefined;
    call.login = undefined;
    if (!queue.tryEnter()) {
      const from = clock.now();
      await queue.enter(call.deadline);
      call.queuedMs = clock.now() - from;
      onWaited?.(call, call.queuedMs);
    }
    let choice: Choice | undefined;
    let result: AttemptResult = 'neither';
    try {
      call.deadline.check();
      choice = balancer.choose(call.tried);
      begin(call, choice.endpoint);
      const reply = await next(call);
      result = resultOfReply(reply);
      return reply;
    } catch (error) {
      result = resultOfError(error, call);
      throw error;
    } finally {
      if (choice) end(choice, result, call);
      queue.leave();
    }
  };
}

function begin(call: UpstreamCall, endpoint: Endpoint): void {
  call.endpoint = endpoint;
  call.tried = call.tried.length === 0 ? [endpoint] : [...call.tried, endpoint];
  endpoint.inFlight += 1;
}

function end({ endpoint, permit }: Choice, result: AttemptResult, { login }: UpstreamCall): void {
  endpoint.inFlight -= 1;
  endAttempt(permit, result, login);
}
