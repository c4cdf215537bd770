import { type ComponentOverrides, everywhere, type Transport } from '../../core/component.js';
import { type Log, LOG_LEVELS, type LogLevel } from '../../core/log.js';
import { afterLevels, type LogLevels } from '../../core/log-levels.js';
import { valueAt } from '../../core/pointer.js';
import type { DesiredAdapter } from './desired-state.js';
import type { ActiveSnapshot } from './active-snapshot.js';
import type { Scheduler } from '../../core/lib/clock.js';
import type { ComponentKind, PlatformState, PlatformStore } from '../../core/platform-state.js';

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

type LoggedAdapter = Pick<DesiredAdapter, 'overrides' | 'written'>;
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

export interface LevelWatchDeps {
  readonly platform: Pick<PlatformStore, 'read' | 'overrides'>;
  /** Activates the stored state. */
  readonly apply: () => Promise<unknown>;
  readonly scheduler: Scheduler;
  readonly log: Log;
}

/** Time between two attempts, in milliseconds. */
const LEVEL_RETRY_MS = 10_000;

/**
 * Restores log levels when the time limit of temporary levels has passed. The change is stored and then activated, so that it
 * applies to all nodes and after restarts. Only the first node makes the change.
 */
export class LevelWatch {
  readonly #deps: LevelWatchDeps;
  #cancel: () => void = () => undefined;
  #isClosed = false;

  constructor(deps: LevelWatchDeps) {
    this.#deps = deps;
  }

  /** Schedules the restore for the live state. Must be called with each new state. */
  watch({ overrides: allOverrides }: Pick<PlatformState, 'overrides'>): void {
    const endTimes = [allOverrides.adapter, allOverrides.application]
      .flatMap((named) => [...named.values()])
      .flatMap(({ goBack }) => (goBack ? [goBack.at] : []));
    const next = Math.min(...endTimes);
    this.#cancel();
    if (next < Infinity) this.#scheduleRestore(next - this.#deps.scheduler.now());
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel();
  }

  #scheduleRestore(ms: number): void {
    if (this.#isClosed) return;
    this.#cancel = this.#deps.scheduler.after(Math.max(0, ms), () => void this.#restoreLevels());
  }

  async #restoreLevels(): Promise<void> {
    const { platform, apply, log } = this.#deps;
    // The next live state replaces this schedule. If the attempt fails, there is none, and the attempt is repeated.
    this.#scheduleRestore(LEVEL_RETRY_MS);
    try {
      const { overrides: allOverrides } = await platform.read();
      for (const kind of ['adapter', 'application'] as const)
        for (const name of this.#due(allOverrides, kind)) {
          await platform.overrides({ kind, name }, (overrides) =>
            afterLevels(overrides, this.#deps.scheduler.now()),
          );
          log.info('temporary log levels ended; restored the previous levels', { [kind]: name });
        }
      await apply();
    } catch (error) {
      if (!this.#isClosed)
        log.warn('log levels not restored; trying again', { error, nextInMs: LEVEL_RETRY_MS });
    }
  }

  #due(allOverrides: PlatformState['overrides'], kind: ComponentKind): readonly string[] {
    const now = this.#deps.scheduler.now();
    return [...allOverrides[kind]].flatMap(([name, { goBack }]) =>
      goBack && goBack.at <= now ? [name] : [],
    );
  }
}
