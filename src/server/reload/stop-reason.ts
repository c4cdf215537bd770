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
    ...(overrides.wanted === 'stopped' ? [stopText(overrides.stopped)] : []),
    ...(profile && !isListedBy(profile)(id) ? [`the active profile "${profile.name}" leaves it out`] : []),
  ];
  return reasons.join('; ');
}

function stopText(stopped: DesiredAdapter['overrides']['stopped']): string {
  return stopped
    ? `${stopped.by} stopped it at ${new Date(stopped.at).toISOString()}`
    : 'an operator stopped it';
}
