import { withTargetName } from '../../adapters/target-name.js';
import type { StateRequest } from '../../core/component.js';
import type { CommitKey, PendingCommit } from '../../core/record-history.js';
import { type AdapterInstance, startingReason } from '../../core/snapshot.js';
import type { UpstreamStatus } from '../../core/upstream.js';
import { valueAt } from '../../json/pointer.js';
import { millisecondsOrNull } from '../../lib/iso-time.js';
import type { AdapterConfig } from '../../server/state/configuration.js';
import type { ActiveSnapshot } from '../../server/state/snapshot.js';
import { requestText, stopCausesOf, stopReasonOf } from '../lib/stop-reason.js';
import type { Rates } from '../traffic/traffic-view.js';
import { NO_CALLS } from '../traffic/traffic.js';
import type {
  AdapterCause,
  AdapterCauseKind,
  AdapterStatusView,
  BreakerState,
  PendingChangeView,
  StateRequestView,
} from './monitoring.js';

const NO_TRAFFIC: Rates = { ...NO_CALLS, perMinute: 0, errorsPerMinute: 0, p50Ms: null, p95Ms: null };

interface StatusViewInput {
  readonly snapshot: ActiveSnapshot;
  /** Time of the view, in milliseconds since 1970. */
  readonly now: number;
  readonly rates: ReadonlyMap<string, Rates>;
  readonly modelOf: (instance: AdapterInstance) => string;
  /** The only adapter; undefined: all adapters. */
  readonly only?: string | undefined;
}

/** Fields of an adapter from which the sampler derives issues. */
export type AdapterSignals = Pick<
  AdapterStatusView,
  'name' | 'state' | 'suspended' | 'connection' | 'breaker' | 'traffic' | 'cause' | 'causes'
> & {
  /** The cause without host and port, which adapters with the same failure have in common. */
  readonly generalCause: string | null;
};

interface SignalsInput extends Pick<StatusViewInput, 'snapshot' | 'rates'> {
  /** Returns the worst breaker state of an adapter; absent: it is read now. */
  readonly breakerOf?: typeof worstBreaker;
}

/** Returns the signals of all adapters. They are cheaper to compute than the full status. */
export function adapterSignals(input: SignalsInput): readonly AdapterSignals[] {
  const { snapshot } = input;
  return snapshot.desired.adapters.flatMap((desired) => {
    const instance = snapshot.adapters.get(desired.id);
    return instance ? [adapterSignalsOf(desired, instance, input)] : [];
  });
}

function adapterSignalsOf(
  desired: AdapterConfig,
  instance: AdapterInstance,
  { snapshot, rates, breakerOf = worstBreaker }: SignalsInput,
): AdapterSignals {
  const breaker = breakerOf(instance);
  const causes = causesOf({ desired, instance, breaker }, snapshot);
  const cause = causes.length === 0 ? null : textOf(causes, desired, snapshot);
  const isUnusable = causes.some(({ kind }) => kind === 'offline' || kind === 'login-refused');
  const named = ({ kind, detail }: AdapterCause): AdapterCause => ({
    kind,
    detail: isUnusable && detail !== null ? withTargetName(detail, instance) : detail,
  });
  return {
    name: instance.id,
    state: instance.state().name,
    suspended: snapshot.suspended.get(instance.id) ?? null,
    connection: instance.connection().state,
    cause: cause !== null && isUnusable ? withTargetName(cause, instance) : cause,
    causes: causes.map(named),
    generalCause: cause,
    breaker: breaker ?? null,
    traffic: rates.get(instance.id) ?? NO_TRAFFIC,
  };
}

/** Returns the status of all adapters in the order of the configuration, or of one. */
export function adapterStatusViews(input: StatusViewInput): readonly AdapterStatusView[] {
  const { snapshot, only } = input;
  const wanted = snapshot.desired.adapters.filter(({ id }) => only === undefined || id === only);
  return wanted.flatMap((desired) => {
    const instance = snapshot.adapters.get(desired.id);
    return instance ? [adapterStatusViewOf(desired, instance, input)] : [];
  });
}

/** Returns the worst breaker state of an adapter; undefined if the adapter has no breaker. */
export function worstBreaker(instance: AdapterInstance): BreakerState | undefined {
  return worstOf(instance.upstreamStatus?.());
}

/** Returns the worst breaker state in a status; undefined without a status. */
export function worstOf(status: UpstreamStatus | undefined): BreakerState | undefined {
  let worst: BreakerState | undefined;
  for (const { breaker } of status?.baseUrls ?? []) {
    if (breaker === 'open') return breaker;
    if (worst !== 'half-open') worst = breaker;
  }
  return worst;
}

/** Returns when the first of the open breakers admits a call, in milliseconds since 1970; null if none is open. */
function breakerUntil(instance: AdapterInstance, now: number): number | null {
  const waits = instance.upstreamStatus?.().baseUrls.flatMap(({ waitMs }) => (waitMs > 0 ? [waitMs] : []));
  return waits && waits.length > 0 ? Math.floor(now + Math.min(...waits)) : null;
}

/** An adapter and the worst state of its breakers. */
interface AdapterReading {
  readonly desired: AdapterConfig;
  readonly instance: AdapterInstance;
  readonly breaker: BreakerState | undefined;
}

/**
 * Returns why an adapter does not work fully; empty if the adapter works. A detail may contain parts of an orchestrator's
 * reply.
 */
function causesOf(
  { desired, instance, breaker }: AdapterReading,
  { outdated, suspended, desired: { state: platform } }: ActiveSnapshot,
): readonly AdapterCause[] {
  const state = instance.state();
  if (state.name === 'STOPPED') return stopCausesOf(desired, platform);
  if (state.name === 'DEAD') return [{ kind: 'failed', detail: state.reason }];
  if (state.name === 'STARTING') return [{ kind: 'starting', detail: state.reason ?? null }];
  const connection = instance.connection();
  if (connection.state === 'OFFLINE')
    return [{ kind: 'offline', detail: connection.reason ?? 'the orchestrator does not answer' }];
  if (connection.state === 'LOGIN_REFUSED')
    return [{ kind: 'login-refused', detail: connection.reason ?? 'the orchestrator refuses the login' }];
  if (breaker === 'open') return [{ kind: 'breaker-open', detail: null }];
  const outdatedCause = outdated.get(instance.id);
  if (outdatedCause !== undefined) return [{ kind: 'outdated', detail: outdatedCause }];
  const suspension = suspended.get(instance.id);
  return suspension === undefined ? [] : [{ kind: suspension, detail: null }];
}

/** Returns the causes as one text for clients of the API. */
function textOf(
  [cause]: readonly AdapterCause[],
  desired: AdapterConfig,
  { desired: { state: platform } }: ActiveSnapshot,
): string {
  const { request } = desired.overrides;
  const detail = cause?.detail ?? null;
  const texts: Partial<Record<AdapterCauseKind, string | null>> = {
    starting: startingReason({ name: 'STARTING', ...(detail !== null && { reason: detail }) }),
    'breaker-open':
      'the circuit breaker is open: the orchestrator failed too often, and calls are rejected for a while',
    outdated: `it still runs with its previous configuration: ${detail}`,
    paused: requestText('paused', request),
    refusing: requestText('blocked', request),
    failed: detail,
    offline: detail,
    'login-refused': detail,
  };
  return (cause && texts[cause.kind]) ?? stopReasonOf(desired, platform) ?? '';
}

function adapterStatusViewOf(
  desired: AdapterConfig,
  instance: AdapterInstance,
  input: StatusViewInput,
): AdapterStatusView {
  const { modelOf, now } = input;
  const { record, written, overrides } = desired;
  const { request } = overrides;
  const connection = instance.connection();
  const { inFlight = 0, waiting = 0, connectionReuse = null } = instance.upstreamStatus?.() ?? {};
  const signals = adapterSignalsOf(desired, instance, input);
  const { name, state, suspended, cause, causes, breaker, traffic } = signals;
  return {
    name,
    state,
    suspended,
    connection: connection.state,
    cause,
    causes,
    breaker,
    breakerUntil: breakerUntil(instance, now),
    traffic,
    type: instance.type,
    model: modelOf(instance),
    request: request ? requestView(request) : null,
    scheduled: scheduledView(overrides),
    pending: pendingView(input.snapshot.desired.state.pending, { kind: 'adapter', name }),
    connectionSince: connection.since > 0 ? Math.floor(connection.since) : null,
    lastTriedAt: millisecondsOrNull(connection.lastTriedAt),
    lastTriedBy: connection.lastTriedBy ?? null,
    lastOkAt: millisecondsOrNull(connection.lastOkAt),
    since: millisecondsOrNull(instance.since()),
    origin: record
      ? { kind: 'record', revision: record.revision }
      : { kind: 'file', file: written.document.file },
    baseUrls: baseUrlsOf(instance, written.value),
    tags: tagsOf(written.value),
    connectionReuse,
    inFlight,
    waiting,
  };
}

/** Returns the tags in the settings of an adapter; none if the settings are invalid. */
export function tagsOf(settings: unknown): readonly string[] {
  const tags = valueAt(settings, '/tags');
  return Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : [];
}

function requestView({ by, at, reason, until }: StateRequest): StateRequestView {
  return { by: by?.name ?? null, at, reason: reason ?? null, until: until ?? null };
}

function scheduledView({ scheduled }: AdapterConfig['overrides']): AdapterStatusView['scheduled'] {
  if (!scheduled) return null;
  const { wanted, from, request } = scheduled;
  return { wanted, from, ...requestView(request) };
}

/** Returns the change of a record that waits for its confirmation; null if none does. */
function pendingView(pending: readonly PendingCommit[], { kind, name }: CommitKey): PendingChangeView | null {
  const found = pending.find((commit) => commit.kind === kind && commit.name === name);
  return found
    ? { by: found.by?.name ?? null, at: found.at, until: found.until, reason: found.comment }
    : null;
}

export function pendingProfilesOf(
  pending: readonly PendingCommit[],
): readonly (PendingChangeView & { readonly profile: string })[] {
  return pending
    .filter(({ kind }) => kind !== 'adapter')
    .map(({ name, by, at, until, comment }) => ({
      profile: name,
      by: by?.name ?? null,
      at,
      until,
      reason: comment,
    }));
}

/** Returns the base URLs in use, or the configured base URLs if the adapter takes no calls. */
function baseUrlsOf(instance: AdapterInstance, written: unknown): AdapterStatusView['baseUrls'] {
  const usedBaseUrls = instance.upstreamStatus?.().baseUrls;
  const configuredUrls = valueAt(written, '/baseUrls');
  const configured = Array.isArray(configuredUrls)
    ? (configuredUrls as readonly unknown[])
    : [valueAt(written, '/baseUrl')];
  const baseUrls = usedBaseUrls ?? configured.map((url) => ({ url: String(url), breaker: null }));
  return baseUrls.flatMap(({ url, breaker }) => {
    const parsed = URL.canParse(url) ? new URL(url) : undefined;
    return parsed ? [{ origin: `${parsed.protocol}//${parsed.host}`, breaker }] : [];
  });
}
