import type { Scheduler } from '../../core/lib/clock.js';
import type { Log } from '../../core/log.js';
import { afterLevels } from '../../core/temporary-levels.js';
import type { ComponentKind, PlatformState, PlatformStore } from '../../core/platform-state.js';

export interface LevelWatchDeps {
  readonly platform: Pick<PlatformStore, 'read' | 'overrides'>;
  /** Makes what is kept live. */
  readonly apply: () => Promise<unknown>;
  readonly scheduler: Scheduler;
  readonly log: Log;
}

/** Time between two tries, in milliseconds. */
const AGAIN_MS = 10_000;

/**
 * Has levels of the log that were asked for a time go back when it is over. That is a change like any other: it is kept and
 * then made live, so that it holds on all nodes and over restarts. The first node to do it spares the others.
 */
export class LevelWatch {
  readonly #deps: LevelWatchDeps;
  #cancel: () => void = () => undefined;
  #isClosed = false;

  constructor(deps: LevelWatchDeps) {
    this.#deps = deps;
  }

  /** To be told each state that is live. */
  watch({ overrides: allOverrides }: Pick<PlatformState, 'overrides'>): void {
    const times = [allOverrides.adapter, allOverrides.application]
      .flatMap((named) => [...named.values()])
      .flatMap(({ goBack }) => (goBack ? [goBack.at] : []));
    const next = Math.min(...times);
    this.#cancel();
    if (next < Infinity) this.#goBackIn(next - this.#deps.scheduler.now());
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel();
  }

  #goBackIn(ms: number): void {
    if (this.#isClosed) return;
    this.#cancel = this.#deps.scheduler.after(Math.max(0, ms), () => void this.#goBack());
  }

  async #goBack(): Promise<void> {
    const { platform, apply, log } = this.#deps;
    // A state that is live then sets another time; where none comes to be, this is tried again.
    this.#goBackIn(AGAIN_MS);
    try {
      const { overrides: allOverrides } = await platform.read();
      for (const kind of ['adapter', 'application'] as const)
        for (const name of this.#due(allOverrides, kind)) {
          await platform.overrides({ kind, name }, (overrides) =>
            afterLevels(overrides, this.#deps.scheduler.now()),
          );
          log.info('log levels went back, their time is over', { [kind]: name });
        }
      await apply();
    } catch (error) {
      if (!this.#isClosed) log.warn('log levels cannot go back yet', { error, nextInMs: AGAIN_MS });
    }
  }

  #due(allOverrides: PlatformState['overrides'], kind: ComponentKind): readonly string[] {
    const now = this.#deps.scheduler.now();
    return [...allOverrides[kind]].flatMap(([name, { goBack }]) =>
      goBack && goBack.at <= now ? [name] : [],
    );
  }
}
