import { isDeepStrictEqual } from 'node:util';
import { valueAt } from '../../core/pointer.js';
import type { Desired, DesiredAdapter } from './desired-state.js';
import { madeFrom } from './rebuild-adapter.js';
import { MADE_FROM } from './rebuild-settings.js';

/** What would become of what runs, if something else were asked for. */
export interface Impact {
  /** Adapters, by name. */
  readonly starts: readonly string[];
  readonly stops: readonly string[];
  /** Adapters that would be made anew, with their calls going on. */
  readonly restarts: readonly string[];
  /** Adapters of which nothing would change. */
  readonly unchanged: number;
  /** Blocks of the main file that would say something else, for example `egress`. */
  readonly settings: readonly string[];
  /** Level of the log before and after; undefined where it stays. */
  readonly level?: { readonly from: string; readonly to: string };
}

/** Compares as a reload does, as far as that can be told without reading a secret. Changes nothing. */
export function impactOf(previous: Desired, next: Desired): Impact {
  const before = new Map(previous.adapters.map((adapter) => [adapter.id, adapter]));
  const after = new Map(next.adapters.map((adapter) => [adapter.id, adapter]));
  const fates = [...new Set([...before.keys(), ...after.keys()])].map(
    (id) => [id, reloadEffectOf(before.get(id), after.get(id))] as const,
  );
  const those = (fate: ReloadEffect): readonly string[] =>
    fates.filter(([, one]) => one === fate).map(([id]) => id);
  const [from, to] = [previous, next].map(({ main }) => valueAt(main.written.value, '/log/level'));
  return {
    starts: those('starts'),
    stops: those('stops'),
    restarts: those('restarts'),
    unchanged: those('stays').length,
    settings: changedBlocks(previous, next),
    ...(from !== to && { level: { from: String(from), to: String(to) } }),
  };
}

type ReloadEffect = 'starts' | 'stops' | 'restarts' | 'stays';

function reloadEffectOf(before: DesiredAdapter | undefined, after: DesiredAdapter | undefined): ReloadEffect {
  const [ran, runs] = [before?.runs === true, after?.runs === true];
  if (ran !== runs) return runs ? 'starts' : 'stops';
  if (!runs || !before || !after) return 'stays';
  const [was, is] = [before, after].map((one) => madeFrom(one, one.written.value));
  return isDeepStrictEqual(was, is) ? 'stays' : 'restarts';
}

function changedBlocks(previous: Desired, next: Desired): readonly string[] {
  const changed = MADE_FROM.filter(
    (pointer) =>
      !isDeepStrictEqual(
        valueAt(previous.main.written.value, pointer),
        valueAt(next.main.written.value, pointer),
      ),
  );
  return [...new Set(changed.map((pointer) => pointer.split('/')[1] ?? ''))];
}
