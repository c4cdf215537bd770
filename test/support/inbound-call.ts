import type { OutboundRequest } from '../../src/core/adapter.js';
import { Problem } from '../../src/core/problem.js';
import { CallDeadline } from '../../src/upstream/deadline.js';
import { createEndpoints } from '../../src/upstream/endpoint.js';
import { createCall, type UpstreamCall } from '../../src/upstream/send.js';
import type { FakeScheduler } from './fake-scheduler.js';

/** Creates a running call with a deadline 30 seconds from now on the test's clock. */
export function createUpstreamCall(
  scheduler: FakeScheduler,
  request: Partial<OutboundRequest> = {},
): UpstreamCall {
  const path = request.path ?? '/';
  const settings = { baseUrls: ['http://127.0.0.1:1'], breaker: { failures: 1, openMs: 1_000 } };
  const [endpoint] = createEndpoints(settings, { clock: scheduler, random: () => 0 });
  return createCall({
    request: { method: 'GET', headers: {}, ...request, path },
    url: `http://127.0.0.1:1${path}`,
    deadline: new CallDeadline(scheduler, 30_000),
    endpoint,
  });
}

export function disconnectCaller(call: UpstreamCall): void {
  call.deadline.stop(new Problem('caller_gone', 'the caller left'));
}
