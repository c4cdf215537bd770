import type { ServiceProbe } from '../health/deps.js';
import type { Scheduler } from '../../core/lib/clock.js';
import { withTimeout } from '../../core/lib/timeout.js';
import { gauge, type Sample, type Scalar } from '../../core/metric.js';
import type { Store } from '../../storage/store.js';

/** What the server itself stands on. */
export interface DependencyVersions {
  readonly services: readonly ServiceProbe[];
  readonly store: Pick<Store, 'pool'>;
  readonly clock: Scheduler;
}

/** How long a service may take to answer, in milliseconds: the scrape must not fail with it. */
const VERSION_TIMEOUT_MS = 2_000;

/** Its services as health tells them, and the connections of its store. */
export async function serviceMetrics({
  services,
  store,
  clock,
}: DependencyVersions): Promise<readonly Scalar[]> {
  const pool = store.pool();
  const samples = services.map(async ({ service, running }) => ({
    labels: { service },
    // What does not answer in time counts as not running.
    value: (await withTimeout(running(), { ms: VERSION_TIMEOUT_MS, scheduler: clock, late: () => false }))
      ? 1
      : 0,
  }));
  return [
    gauge(
      'gatehouse_service_running',
      '1 for a service that health tells as running.',
      await Promise.all(samples),
    ),
    gauge('gatehouse_store_connections', 'Connections to PostgreSQL; none with SQLite.', one(pool?.open)),
    gauge('gatehouse_store_connections_idle', 'Connections to PostgreSQL that nobody uses.', one(pool?.idle)),
    gauge('gatehouse_store_waiting', 'Work that waits for a connection to PostgreSQL.', one(pool?.waiting)),
  ];
}

function one(value: number | undefined): readonly Sample[] {
  return value === undefined ? [] : [{ labels: {}, value }];
}
