import type { AdapterSettings } from '../../core/adapter-settings.js';
import { valueAt } from '../../core/pointer.js';
import type { ActiveSnapshot } from '../reload/active-snapshot.js';

/**
 * The settings of one process among several: an equal part of the adapter's places, so that all of them together never
 * send more calls at a time than the operator allows. An adapter with fewer places than processes is not divided.
 */
export function shareOf(settings: AdapterSettings, processes: number): AdapterSettings {
  const { queue } = settings;
  if (queue.concurrent < processes) return settings;
  const part = (places: number): number => Math.floor(places / processes);
  return {
    ...settings,
    queue: { ...queue, concurrent: part(queue.concurrent), waiting: part(queue.waiting) },
  };
}

/** Names of the adapters with fewer places than there are processes: one process alone sends their calls. */
export function whole({ written }: Pick<ActiveSnapshot, 'written'>, processes: number): readonly string[] {
  return [...written].flatMap(([id, value]) =>
    Number(valueAt(value, '/queue/concurrent')) < processes ? [id] : [],
  );
}

/** True for a target that may be one of these adapters, however it is spelt. */
export function concerns(url: string, adapters: readonly string[]): boolean {
  return adapters.length > 0 && (url.includes('%') || adapters.some((id) => url.includes(`/${id}`)));
}
