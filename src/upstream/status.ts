import type { UpstreamStatus } from '../core/upstream.js';
import type { Connections } from './client.js';
import type { Balancer } from './policy/balance.js';
import type { Queue } from './policy/queue.js';
import type { Counters } from './counters.js';
import type { Endpoints } from './endpoint.js';

/** What an adapter's status is made of. */
export interface StatusParts {
  readonly endpoints: Endpoints;
  readonly queue: Pick<Queue, 'inFlight' | 'waiting' | 'refused'>;
  readonly balancer: Pick<Balancer, 'current'>;
  readonly tally: Pick<Counters, 'counts'>;
  readonly network: Pick<Connections, 'counts'>;
}

/** What goes on just now, in plain numbers. */
export function statusOf({ endpoints, queue, balancer, tally, network }: StatusParts): UpstreamStatus {
  return {
    inFlight: queue.inFlight(),
    waiting: queue.waiting(),
    refused: queue.refused(),
    ...tally.counts(),
    ...network.counts(),
    baseUrls: endpoints.map(({ url, breaker, inFlight }) => ({
      url,
      breaker: breaker.state(),
      failures: breaker.failures(),
      inFlight,
    })),
    current: balancer.current().url,
  };
}
