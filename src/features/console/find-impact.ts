import { isDeepStrictEqual } from 'node:util';
import { valueAt } from '../../json/pointer.js';
import {
  SETTINGS_OF_SNAPSHOT,
  type Desired,
  type AdapterConfig,
  fingerprintInputOf,
} from '../../server/state/configuration.js';

/** The effect that another configuration would have. */
export interface Impact {
  /** Names of adapters that would start. */
  readonly starts: readonly string[];
  /** Names of adapters that would stop. */
  readonly stops: readonly string[];
  /** Names of adapters that would be replaced, without interrupting their calls. */
  readonly restarts: readonly string[];
  /** Number of adapters that would not change. */
  readonly unchanged: number;
  /** Names of the blocks of the main file that would change, for example `egress`. */
  readonly settings: readonly string[];
  /** Log level before and after; absent if it would not change. */
  readonly level?: { readonly from: string; readonly to: string };
}

/** Compares two configurations as a reload does, but without reading secrets. Changes nothing. */
export function impactOf(previous: Desired, next: Desired): Impact {
  const before = new Map(previous.adapters.map((adapter) => [adapter.id, adapter]));
  const after = new Map(next.adapters.map((adapter) => [adapter.id, adapter]));
  const effects = [...new Set([...before.keys(), ...after.keys()])].map(
    (id) => [id, reloadEffectOf(before.get(id), after.get(id))] as const,
  );
  const adaptersWith = (wanted: ReloadEffect): readonly string[] =>
    effects.filter(([, effect]) => effect === wanted).map(([id]) => id);
  const [from, to] = [previous, next].map(({ main }) => valueAt(main.written.value, '/log/level'));
  return {
    starts: adaptersWith('starts'),
    stops: adaptersWith('stops'),
    restarts: adaptersWith('restarts'),
    unchanged: adaptersWith('stays').length,
    settings: changedBlocks(previous, next),
    ...(from !== to && { level: { from: String(from), to: String(to) } }),
  };
}

type ReloadEffect = 'starts' | 'stops' | 'restarts' | 'stays';

function reloadEffectOf(before: AdapterConfig | undefined, after: AdapterConfig | undefined): ReloadEffect {
  const [ran, runs] = [before?.runs === true, after?.runs === true];
  if (ran !== runs) return runs ? 'starts' : 'stops';
  if (!runs || !before || !after) return 'stays';
  const [previous, next] = [before, after].map((adapter) =>
    fingerprintInputOf(adapter, adapter.written.value),
  );
  return isDeepStrictEqual(previous, next) ? 'stays' : 'restarts';
}

function changedBlocks(previous: Desired, next: Desired): readonly string[] {
  const changed = SETTINGS_OF_SNAPSHOT.filter(
    (pointer) =>
      !isDeepStrictEqual(
        valueAt(previous.main.written.value, pointer),
        valueAt(next.main.written.value, pointer),
      ),
  );
  return [...new Set(changed.map((pointer) => pointer.split('/')[1] ?? ''))];
}
