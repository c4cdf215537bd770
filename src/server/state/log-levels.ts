import { type ComponentOverrides, everywhere, type Transport } from '../../core/component.js';
import { type LogLevels } from '../../core/log-levels.js';
import { LOG_LEVELS, type LogLevel } from '../../core/log.js';
import { valueAt } from '../../json/pointer.js';
import type { AdapterConfig } from './configuration.js';
import type { ActiveSnapshot } from './snapshot.js';

/** Returns the log levels of a snapshot. Overrides of operators take precedence over the files and the profile. */
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

/** Returns the log levels of an adapter: its overrides, else the level in its file, else the base level. */
export function levelsOf(adapter: LoggedAdapter, base: LogLevel): Readonly<Record<Transport, LogLevel>> {
  return { ...everywhere(base), ...ownLevels(adapter) };
}

type LoggedAdapter = Pick<AdapterConfig, 'overrides' | 'written'>;
type NamedLevels = readonly [name: string, levels: ComponentOverrides['levels']];

/** Returns only the components with levels of their own, because most components have none. */
function withLevels(named: readonly NamedLevels[]): ReadonlyMap<string, ComponentOverrides['levels']> {
  return new Map(named.filter(([, levels]) => Object.keys(levels).length > 0));
}

function ownLevels({ written, overrides }: LoggedAdapter): ComponentOverrides['levels'] {
  const level = valueAt(written.value, '/log/level');
  return isLevel(level) ? { ...everywhere(level), ...overrides.levels } : overrides.levels;
}

function isLevel(level: unknown): level is LogLevel {
  return LOG_LEVELS.some((known) => known === level);
}
