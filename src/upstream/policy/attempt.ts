import type { UpstreamReply } from '../../core/adapter.js';
import type { Clock } from '../../lib/clock.js';
import type { Layer, Send, UpstreamCall } from '../send.js';
import { type Balancer, resultOfError, resultOfReply } from './balance.js';
import type { AttemptResult } from './breaker.js';
import type { Queue } from './queue.js';

interface AttemptDeps {
  readonly queue: Queue;
  readonly balancer: Balancer;
  readonly clock: Clock;
  /** Receives each call that had to wait for a slot, and its wait in milliseconds. */
  readonly onWaited?: (call: UpstreamCall, ms: number) => void;
}

/** Creates the layer of one attempt, which has a slot until it ends. */
export function createAttempt({ queue, balancer, clock, onWaited }: AttemptDeps): Layer {
  return async (call, next) => {
    call.queuedMs = undefined;
    if (!queue.tryEnter()) {
      const from = clock.now();
      await queue.enter(call.deadline);
      call.queuedMs = clock.now() - from;
      onWaited?.(call, call.queuedMs);
    }
    try {
      return await sendToChoice(call, balancer, next);
    } finally {
      queue.leave();
    }
  };
}

/** Selects a base URL, sends the call there, and gives the result to its breaker. */
async function sendToChoice(call: UpstreamCall, balancer: Balancer, next: Send): Promise<UpstreamReply> {
  call.deadline.check();
  const { endpoint, permit } = balancer.choose(call.tried);
  call.endpoint = endpoint;
  call.tried = [...call.tried, endpoint];
  endpoint.inFlight += 1;
  let result: AttemptResult = 'neither';
  try {
    const reply = await next(call);
    result = resultOfReply(reply);
    return reply;
  } catch (error) {
    result = resultOfError(error, call);
    throw error;
  } finally {
    endpoint.inFlight -= 1;
    permit.end(result);
  }
}
