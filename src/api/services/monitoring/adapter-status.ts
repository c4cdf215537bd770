import type { AdapterStatusView, BreakerState, PendingChangeView } from '../../../core/monitoring.js';
import type { Rates } from '../../../core/traffic-view.js';
import type { CommitKey, PendingCommit } from '../../../core/record-history.js';
import { valueAt } from '../../../core/pointer.js';
import { type AdapterInstance, startingReason } from '../../../core/snapshot.js';
import type { DesiredAdapter } from '../../../server/reload/desired-state.js';
import { requestText, stopReasonOf } from '../../../server/reload/stop-reason.js';
import { withTargetName } from './target-name.js';
import type { ActiveSnapshot } from '../../../server/reload/active-snapshot.js';

const NO_TRAFFIC: Rates = { perMinute: 0, errorsPerMinute: 0, p50Ms: null, p95Ms: null };

interface StatusViewInput {
  readonly snapshot: ActiveSnapshot;
  readonly rates: ReadonlyMap<string, Rates>;
  readonly modelOf: (instance: AdapterInstance) => string;
}

/** Fields of an adapter from which the sampler derives issues. */
export type AdapterSignals = Pick<
  AdapterStatusView,
  'name' | 'state' | 'suspended' | 'connection' | 'breaker' | 'traffic' | 'cause'
> & {
  /** The cause without host and port, which adapters with the same failure have in common. */
  readonly generalCause: string | null;
};

/** Returns the signals of all adapters. They are cheaper to compute than the full status. */
export function adapterSignals(input: Omit<StatusViewInput, 'modelOf'>): readonly AdapterSignals[] {
  const { snapshot } = input;
  return snapshot.desired.adapters.flatMap((desired) => {
    const instance = snapshot.adapters.get(desired.id);
    return instance ? [adapterSignalsOf(desired, instance, input)] : [];
  });
}

function adapterSignalsOf(
  desired: DesiredAdapter,
  instance: AdapterInstance,
  { snapshot, rates }: Omit<StatusViewInput, 'modelOf'>,
): AdapterSignals {
  const cause = causeOf(desired, instance, snapshot);
  const isOffline = instance.connection().state === 'OFFLINE';
  return {
    name: instance.id,
    state: instance.state().name,
    suspended: snapshot.suspended.get(instance.id) ?? null,
    connection: instance.connection().state,
    cause: cause === undefined ? null : isOffline ? withTargetName(cause, instance) : cause,
    generalCause: cause ?? null,
    breaker: worstBreaker(instance) ?? null,
    traffic: rates.get(instance.id) ?? NO_TRAFFIC,
  };
}

/** Returns the status of all adapters in the order of the configuration. */
export function adapterStatusViews(input: StatusViewInput): readonly AdapterStatusView[] {
  const { snapshot } = input;
  return snapshot.desired.adapters.flatMap((desired) => {
    const instance = snapshot.adapters.get(desired.id);
    return instance ? [adapterStatusViewOf(desired, instance, input)] : [];
  });
}

/** Returns the worst breaker state of an adapter; undefined if the adapter has no breaker. */
export function worstBreaker(instance: AdapterInstance): BreakerState | undefined {
  const breakers = instance.upstreamStatus?.().baseUrls.map(({ breaker }) => breaker) ?? [];
  return (['open', 'half-open', 'closed'] as const).find((state) => breakers.includes(state));
}

/**
 * Returns why an adapter does not work fully; undefined if the adapter works. The text may contain parts of
 * an orchestrator's reply.
 */
function causeOf(
  desired: DesiredAdapter,
  instance: AdapterInstance,
  { outdated, suspended, desired: { state: platform } }: ActiveSnapshot,
): string | undefined {
  const state = instance.state();
  if (state.name === 'STOPPED') return stopReasonOf(desired, platform);
  if (state.name === 'DEAD') return state.reason;
  if (state.name === 'STARTING') return startingReason(state);
  const connection = instance.connection();
  if (connection.state === 'OFFLINE') return connection.reason ?? 'the orchestrator does not answer';
  if (worstBreaker(instance) === 'open')
    return 'the circuit breaker is open: the orchestrator failed too often, and calls are rejected for a while';
  const outdatedCause = outdated.get(instance.id);
  if (outdatedCause !== undefined) return `it still runs with its previous configuration: ${outdatedCause}`;
  const suspension = suspended.get(instance.id);
  if (suspension === undefined) return undefined;
  return requestText(suspension === 'paused' ? 'paused' : 'blocked', desired.overrides.request);
}

function adapterStatusViewOf(
  desired: DesiredAdapter,
  instance: AdapterInstance,
  input: StatusViewInput,
): AdapterStatusView {
  const { modelOf } = input;
  const { record, written } = desired;
  const connection = instance.connection();
  const { inFlight = 0, waiting = 0 } = instance.upstreamStatus?.() ?? {};
  const { name, state, suspended, cause, breaker, traffic } = adapterSignalsOf(desired, instance, input);
  return {
    name,
    state,
    suspended,
    connection: connection.state,
    cause,
    breaker,
    traffic,
    type: instance.type,
    model: modelOf(instance),
    request: requestView(desired.overrides.request),
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
    inFlight,
    waiting,
  };
}

function requestView(request: DesiredAdapter['overrides']['request']): AdapterStatusView['request'] {
  if (!request) return null;
  const { by, at, reason = null, until = null } = request;
  return { by: by?.name ?? null, at, reason, until };
}

/** Returns the change of a record that waits for its confirmation; null if none does. */
export function pendingView(
  pending: readonly PendingCommit[],
  { kind, name }: CommitKey,
): PendingChangeView | null {
  const found = pending.find((commit) => commit.kind === kind && commit.name === name);
  return found
    ? { by: found.by?.name ?? null, at: found.at, until: found.until, reason: found.comment }
    : null;
}

/** Returns the pending changes and activations of profiles. */
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

/** Rounds a time down to whole milliseconds, because clocks may return fractions; undefined becomes null. */
export function millisecondsOrNull(at: number | undefined): number | null {
  return at === undefined ? null : Math.floor(at);
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
