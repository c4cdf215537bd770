import { valueAt } from '../../core/pointer.js';
import type { PlatformState } from '../../core/platform-state.js';
import { isListedBy } from './apply-overrides.js';
import type { DesiredAdapter } from './desired-state.js';

/** Returns why an adapter is not meant to run, as clauses; undefined if the adapter is meant to run. */
export function stopReasonOf(
  { id, runs, written, record, overrides }: DesiredAdapter,
  { profile }: Pick<PlatformState, 'profile'>,
): string | undefined {
  if (runs) return undefined;
  const source = record ? 'its properties' : written.document.file;
  const reasons = [
    ...(valueAt(written.value, '/enabled') === false
      ? [`"enabled: false" in ${source} keeps it stopped`]
      : []),
    ...(overrides.wanted === 'stopped' ? [requestText('stopped', overrides.request)] : []),
    ...(profile && !isListedBy(profile)(id) ? [`the active profile "${profile.name}" leaves it out`] : []),
  ];
  return reasons.join('; ');
}

/** Describes the state that an operator requested: who, until when and why. */
export function requestText(participle: string, request: DesiredAdapter['overrides']['request']): string {
  if (!request) return `${participle} by an operator`;
  const { by, at, until, reason } = request;
  const end = until === undefined ? `at ${isoTime(at)}` : `until ${isoTime(until)}`;
  const why = reason === undefined ? '' : `: ${reason}`;
  return `${participle} by ${by?.name ?? 'an operator'} ${end}${why}`;
}

function isoTime(at: number): string {
  return new Date(at).toISOString();
}
