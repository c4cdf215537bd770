import { valueAt } from '../../../core/pointer.js';
import type { AdapterStatusView, BreakerState } from '../../../core/monitoring.js';
import type { AdapterInstance } from '../../../core/snapshot.js';
import type { Rates } from '../../../core/traffic.js';
import type { DesiredAdapter } from '../../../server/reload/desired-state.js';
import type { ActiveSnapshot } from '../../../server/reload/active-snapshot.js';

const NO_TRAFFIC: Rates = { perMinute: 0, errorsPerMinute: 0, p50Ms: null, p95Ms: null };

interface StatusViewInput {
  readonly snapshot: ActiveSnapshot;
  readonly rates: ReadonlyMap<string, Rates>;
  readonly modelOf: (instance: AdapterInstance) => string;
}

/** Fields of an adapter that the periodic check for problems uses. */
export type AdapterSignals = Pick<
  AdapterStatusView,
  'name' | 'state' | 'connection' | 'breaker' | 'traffic' | 'cause'
>;

/** Returns the signals of all adapters, which are cheaper to compute than their full status. */
export function adapterSigns({
  snapshot,
  rates,
}: Omit<StatusViewInput, 'modelOf'>): readonly AdapterSignals[] {
  return [...snapshot.adapters.values()].map((instance) => signsOf(instance, snapshot, rates));
}

function signsOf(
  instance: AdapterInstance,
  snapshot: ActiveSnapshot,
  rates: StatusViewInput['rates'],
): AdapterSignals {
  return {
    name: instance.id,
    state: instance.state().name,
    connection: instance.connection().state,
    cause: causeOf(instance, snapshot) ?? null,
    breaker: worstBreaker(instance) ?? null,
    traffic: rates.get(instance.id) ?? NO_TRAFFIC,
  };
}

/** Returns the status of all adapters in the order of the configuration. */
export function adapterPictures(input: StatusViewInput): readonly AdapterStatusView[] {
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
export function causeOf(
  instance: AdapterInstance,
  { outdated, suspended }: Pick<ActiveSnapshot, 'outdated' | 'suspended'>,
): string | undefined {
  const state = instance.state();
  if (state.name === 'DEAD') return state.reason;
  if (state.name === 'STARTING') return 'it has not started yet';
  const connection = instance.connection();
  if (connection.state === 'OFFLINE') return connection.reason ?? 'its orchestrator does not answer';
  if (worstBreaker(instance) === 'open')
    return 'its orchestrator failed too often and is left alone for a while';
  const behind = outdated.get(instance.id);
  if (behind !== undefined) return `it serves in its former form: ${behind}`;
  const wanted = suspended.get(instance.id);
  if (wanted === undefined) return undefined;
  return wanted === 'paused' ? 'operators let its calls wait' : 'operators have its calls turned away';
}

function adapterStatusViewOf(
  desired: DesiredAdapter,
  instance: AdapterInstance,
  { snapshot, rates, modelOf }: StatusViewInput,
): AdapterStatusView {
  const { id, record, written } = desired;
  const connection = instance.connection();
  const { inFlight = 0, waiting = 0 } = instance.upstreamStatus?.() ?? {};
  return {
    ...signsOf(instance, snapshot, rates),
    type: instance.type,
    model: modelOf(instance),
    suspended: snapshot.suspended.get(id) ?? null,
    connectionSince: connection.since > 0 ? Math.floor(connection.since) : null,
    since: momentOrNull(instance.since()),
    origin: record
      ? { kind: 'record', revision: record.revision }
      : { kind: 'file', file: written.document.file },
    baseUrls: baseUrlsOf(instance, written.value),
    inFlight,
    waiting,
  };
}

/** Rounds a time down to whole milliseconds, because clocks may return fractions; undefined becomes null. */
export function momentOrNull(at: number | undefined): number | null {
  return at === undefined ? null : Math.floor(at);
}

/** Returns the base URLs in use, or the configured base URLs if the adapter takes no calls. */
function baseUrlsOf(instance: AdapterInstance, written: unknown): AdapterStatusView['baseUrls'] {
  const used = instance.upstreamStatus?.().baseUrls;
  const several = valueAt(written, '/baseUrls');
  const configured = Array.isArray(several)
    ? (several as readonly unknown[])
    : [valueAt(written, '/baseUrl')];
  const all = used ?? configured.map((url) => ({ url: String(url), breaker: null }));
  return all.flatMap(({ url, breaker }) => {
    const parsed = URL.canParse(url) ? new URL(url) : undefined;
    return parsed ? [{ origin: `${parsed.protocol}//${parsed.host}`, breaker }] : [];
  });
}
