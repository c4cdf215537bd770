import type { AdapterStatusView, OverviewReply } from '../../console/src/api/observe.js';
import type { MonitoringIssue } from '../../src/core/issue.js';

/** An adapter that runs and is reached, without calls. */
export function observedAdapter(changes: Partial<AdapterStatusView> = {}): AdapterStatusView {
  return {
    name: 'core1',
    type: 'restconf',
    model: 'restconf',
    state: 'RUNNING',
    suspended: null,
    request: null,
    scheduled: null,
    pending: null,
    connection: 'ONLINE',
    connectionSince: 1000,
    lastTriedAt: null,
    lastTriedBy: null,
    tags: [],
    lastOkAt: null,
    since: 1000,
    cause: null,
    causes: [],
    origin: { kind: 'record', revision: 1 },
    baseUrls: [{ origin: 'https://core1.example', breaker: 'closed' }],
    breaker: 'closed',
    breakerUntil: null,
    connectionReuse: 'on',
    inFlight: 0,
    waiting: 0,
    traffic: rates(0),
    ...changes,
  };
}

/** Creates the traffic of five minutes with this number of calls and failed calls per minute. */
export function rates(perMinute: number, errorsPerMinute = 0): AdapterStatusView['traffic'] {
  const ms = perMinute === 0 ? null : 20;
  const [calls, errors] = [5 * perMinute, 5 * errorsPerMinute];
  return { calls, errors, clientErrors: 0, perMinute, errorsPerMinute, p50Ms: ms, p95Ms: ms };
}

/** A server that does well, with these adapters. */
export function observed(
  adapters: readonly AdapterStatusView[],
  changes: Partial<Omit<OverviewReply, 'server'>> & {
    readonly server?: Partial<OverviewReply['server']>;
  } = {},
): OverviewReply {
  return {
    callers: [],
    problems: [],
    problemsLeft: 0,
    ...changes,
    adapters,
    server: {
      version: '0.9.0',
      release: '2023.2',
      since: 0,
      now: 10_000_000,
      activeProfile: null,
      pendingProfiles: [],
      revision: 3,
      generation: 2,
      ready: true,
      configurationUpToDate: true,
      traffic: rates(0),
      ...changes.server,
    },
  };
}

/** An adapter that is unreachable, as the server reports problems. */
export function observedIssue(changes: Partial<MonitoringIssue> = {}): MonitoringIssue {
  return {
    ...{ id: 'a1', severity: 'danger', code: 'adapter-unreachable', title: 'edge2 is unreachable' },
    ...{ cause: '10.0.0.5:443 refuses connections on this port', since: Date.UTC(2026, 0, 1) },
    ...{ about: { kind: 'adapter', name: 'edge2' }, adapters: ['edge2'], until: null },
    ...{
      failedCallsPerMinute: 0,
      failure: null,
      hitCallers: [],
      hitCallersLeft: 0,
      cachedSecrets: 0,
      lostSecrets: 0,
    },
    ...changes,
  };
}
