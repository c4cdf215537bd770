import { counter, gauge, type Metric, type Sample, type Scalar } from '../../core/metric.js';
import type { ReadCacheStatus } from '../../core/read-cache.js';
import type { AdapterInstance } from '../../core/snapshot.js';
import type { UpstreamStatus } from '../../core/upstream.js';

const STATES = ['STARTING', 'RUNNING', 'STOPPED', 'DEAD'] as const;
const CONNECTIONS = ['ONLINE', 'OFFLINE', 'LOGIN_REFUSED', 'UNKNOWN'] as const;

/**
 * Returns the state of adapters and the reachability of their orchestrators: 1 for the current state, 0 for
 * all other states.
 */
export function adapterMetrics(
  adapters: Iterable<AdapterInstance>,
  outdated: ReadonlyMap<string, string>,
): readonly Metric[] {
  const all = [...adapters];
  return [
    gauge(
      'gatehouse_adapter_state',
      '1 for the current state of each adapter, 0 for the other states.',
      all.flatMap((one) => stateSamples(one.id, STATES, one.state().name)),
    ),
    gauge(
      'gatehouse_adapter_connection',
      '1 for the current connection state of each adapter, as the latest call or health check found it, 0 for the other states.',
      all.flatMap((one) => stateSamples(one.id, CONNECTIONS, one.connection().state)),
    ),
    gauge(
      'gatehouse_adapter_outdated',
      '1 for an adapter that runs with a previous configuration, because its new configuration does not work.',
      all.map(({ id }) => ({ labels: { adapter: id }, value: outdated.has(id) ? 1 : 0 })),
    ),
  ];
}

function stateSamples(adapter: string, states: readonly string[], current: string) {
  return states.map((state) => ({ labels: { adapter, state }, value: state === current ? 1 : 0 }));
}

const BREAKER_STATES = ['closed', 'half-open', 'open'] as const;

interface EndpointMetric {
  readonly adapter: string;
  readonly status: UpstreamStatus;
}

function cacheMetrics(upstreams: readonly EndpointMetric[]): readonly Scalar[] {
  const caches = upstreams.flatMap(({ adapter, status: { cache } }) => (cache ? [{ adapter, cache }] : []));
  const each = (pick: (cache: ReadCacheStatus) => number): readonly Sample[] =>
    caches.map(({ adapter, cache }) => ({ labels: { adapter }, value: pick(cache) }));
  return [
    counter(
      'gatehouse_cache_requests_total',
      'Queries that the read cache covers, by result: hit, miss, stale (used after its freshness, because the orchestrator failed).',
      caches.flatMap(({ adapter, cache: { hits, misses, stale } }) => [
        { labels: { adapter, result: 'hit' }, value: hits },
        { labels: { adapter, result: 'miss' }, value: misses },
        { labels: { adapter, result: 'stale' }, value: stale },
      ]),
    ),
    counter(
      'gatehouse_cache_evictions_total',
      'Replies that were removed from the read cache because of its limits.',
      each(({ evictions }) => evictions),
    ),
    gauge(
      'gatehouse_cache_bytes',
      'Size of the replies in the read cache of each adapter.',
      each(({ bytes }) => bytes),
    ),
    gauge(
      'gatehouse_cache_entries',
      'Replies in the read cache of each adapter.',
      each(({ entries }) => entries),
    ),
  ];
}

/**
 * Returns metrics of the queue, retries, logins, connections and breakers of each adapter that uses the
 * host's upstream. Counters restart at zero when an adapter is replaced. Base URLs are identified by their
 * index in the configuration, from 0.
 */
export function upstreamMetrics(adapters: Iterable<AdapterInstance>): readonly Scalar[] {
  const upstreams = [...adapters].flatMap(({ id, upstreamStatus }): readonly EndpointMetric[] =>
    upstreamStatus ? [{ adapter: id, status: upstreamStatus() }] : [],
  );
  const each = (pick: (status: UpstreamStatus) => number): readonly Sample[] =>
    upstreams.map(({ adapter, status }) => ({ labels: { adapter }, value: pick(status) }));
  return [
    gauge(
      'gatehouse_upstream_in_flight',
      'Concurrent calls to the orchestrator.',
      each(({ inFlight }) => inFlight),
    ),
    gauge(
      'gatehouse_upstream_waiting',
      'Calls that wait in the queue.',
      each(({ waiting }) => waiting),
    ),
    counter(
      'gatehouse_upstream_refused_total',
      'Calls that were rejected because the queue was full, or that waited too long.',
      each(({ refused }) => refused),
    ),
    counter(
      'gatehouse_upstream_retries_total',
      'Retries of calls.',
      each(({ retries }) => retries),
    ),
    counter(
      'gatehouse_upstream_logins_total',
      'Logins to orchestrators, by result: success, failure.',
      upstreams.flatMap(({ adapter, status: { logins, failedLogins } }) => [
        { labels: { adapter, result: 'success' }, value: logins },
        { labels: { adapter, result: 'failure' }, value: failedLogins },
      ]),
    ),
    gauge(
      'gatehouse_upstream_connections',
      'Connections that calls share, by state: busy, idle. Streams have separate connections.',
      upstreams.flatMap(({ adapter, status: { connections, idleConnections } }) => [
        { labels: { adapter, state: 'busy' }, value: connections - idleConnections },
        { labels: { adapter, state: 'idle' }, value: idleConnections },
      ]),
    ),
    ...cacheMetrics(upstreams),
    gauge(
      'gatehouse_upstream_breaker_state',
      '1 for the current state of the circuit breaker of each base URL: closed, half-open, open. base_url is its index in the configuration, from 0.',
      upstreams.flatMap(breakersOf),
    ),
  ];
}

function breakersOf({ adapter, status: { baseUrls } }: EndpointMetric): readonly Sample[] {
  return baseUrls.flatMap(({ breaker }, index) =>
    BREAKER_STATES.map((state) => ({
      labels: { adapter, base_url: String(index), state },
      value: state === breaker ? 1 : 0,
    })),
  );
}
