import { gauge, type Metric } from '../../core/metric.js';
import type { AdapterInstance } from '../../core/snapshot.js';

const STATES = ['STARTING', 'RUNNING', 'STOPPED', 'DEAD'] as const;
const CONNECTIONS = ['ONLINE', 'OFFLINE', 'UNKNOWN'] as const;

/**
 * Returns the state of adapters and the reachability of their orchestrators: 1 for the current state, 0 for
 * the others.
 */
export function adapterMetrics(
  adapters: Iterable<AdapterInstance>,
  outdated: ReadonlyMap<string, string>,
): readonly Metric[] {
  const all = [...adapters];
  return [
    gauge(
      'gatehouse_adapter_state',
      'State of each adapter.',
      all.flatMap((one) => oneOf(one.id, STATES, one.state().name)),
    ),
    gauge(
      'gatehouse_adapter_connection',
      'Whether the orchestrator of each adapter can be reached.',
      all.flatMap((one) => oneOf(one.id, CONNECTIONS, one.connection().state)),
    ),
    gauge(
      'gatehouse_adapter_outdated',
      '1 for an adapter that serves in a former form, because its successor does not work.',
      all.map(({ id }) => ({ labels: { adapter: id }, value: outdated.has(id) ? 1 : 0 })),
    ),
  ];
}

function oneOf(adapter: string, states: readonly string[], holds: string) {
  return states.map((state) => ({ labels: { adapter, state }, value: state === holds ? 1 : 0 }));
}
