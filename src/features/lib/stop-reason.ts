import type { PlatformState } from '../../core/platform-state.js';
import { valueAt } from '../../json/pointer.js';
import { isListedBy, type AdapterConfig } from '../../server/state/configuration.js';
import type { AdapterCause } from '../console/monitoring.js';

/** Returns the reasons why an adapter is not meant to run; empty if the adapter is meant to run. */
export function stopCausesOf(
  { id, runs, written, record, overrides }: AdapterConfig,
  { profile }: PlatformState,
): readonly AdapterCause[] {
  if (runs) return [];
  const file = record ? null : written.document.file;
  return [
    ...(valueAt(written.value, '/enabled') === false ? [{ kind: 'disabled', detail: file } as const] : []),
    ...(overrides.wanted === 'stopped' ? [{ kind: 'stopped', detail: null } as const] : []),
    ...(profile && !isListedBy(profile)(id) ? [{ kind: 'left-out', detail: profile.name } as const] : []),
  ];
}

/** Returns why an adapter is not meant to run, as clauses; undefined if the adapter is meant to run. */
export function stopReasonOf(adapter: AdapterConfig, state: PlatformState): string | undefined {
  if (adapter.runs) return undefined;
  return stopCausesOf(adapter, state)
    .map(({ kind, detail }) => {
      if (kind === 'disabled') return `"enabled: false" in ${detail ?? 'its properties'} keeps it stopped`;
      if (kind === 'left-out') return `the active profile "${detail}" leaves it out`;
      return requestText('stopped', adapter.overrides.request);
    })
    .join('; ');
}

/** Describes the state that an operator requested: who, until when and why. */
export function requestText(participle: string, request: AdapterConfig['overrides']['request']): string {
  if (!request) return `${participle} by an operator`;
  const { by, at, until, reason } = request;
  const end = until === undefined ? `at ${isoTime(at)}` : `until ${isoTime(until)}`;
  const why = reason === undefined ? '' : `: ${reason}`;
  return `${participle} by ${by?.name ?? 'an operator'} ${end}${why}`;
}

function isoTime(at: number): string {
  return new Date(at).toISOString();
}
