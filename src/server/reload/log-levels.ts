import { everywhere, type Transport, type ComponentOverrides } from '../../core/component.js';
import { LOG_LEVELS, type LogLevel } from '../../core/log.js';
import type { LogLevels } from '../../core/log-levels.js';
import { valueAt } from '../../core/pointer.js';
import type { DesiredAdapter } from './desired-state.js';
import type { ActiveSnapshot } from './active-snapshot.js';

/** Levels of a snapshot: those of its main file and profile, of its adapters' files, and over them what operators asked for. */
export function logLevelsOf({
  logLevel,
  desired: { adapters, state },
}: Pick<ActiveSnapshot, 'logLevel' | 'desired'>): LogLevels {
  const application = [...state.overrides.application].map(([name, { levels }]) => [name, levels] as const);
  return {
    base: logLevel,
    components: {
      adapter: withLevels(adapters.map((adapter) => [adapter.id, ownLevels(adapter)])),
      application: withLevels(application),
    },
  };
}

/** Levels of an adapter's lines: as wanted at run time, else as written, else as for all. */
export function levelsOf(adapter: Logged, base: LogLevel): Readonly<Record<Transport, LogLevel>> {
  return { ...everywhere(base), ...ownLevels(adapter) };
}

type Logged = Pick<DesiredAdapter, 'overrides' | 'written'>;
type Named = readonly [name: string, levels: ComponentOverrides['levels']];

/** Most have none, and lines of theirs need no look-up. */
function withLevels(named: readonly Named[]): ReadonlyMap<string, ComponentOverrides['levels']> {
  return new Map(named.filter(([, levels]) => Object.keys(levels).length > 0));
}

function ownLevels({ written, overrides }: Logged): ComponentOverrides['levels'] {
  const level = valueAt(written.value, '/log/level');
  return isLevel(level) ? { ...everywhere(level), ...overrides.levels } : overrides.levels;
}

function isLevel(level: unknown): level is LogLevel {
  return LOG_LEVELS.some((one) => one === level);
}
