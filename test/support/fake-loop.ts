import type { EventLoop } from '../../src/http/overload/overload-detector.js';

/** An event loop whose turns a test runs explicitly. */
export interface FakeLoop extends EventLoop {
  /** Advances the clock by this number of milliseconds. */
  readonly pass: (ms: number) => void;
  /** Runs the callbacks of the next turn, without the callbacks that they schedule. */
  readonly turn: () => void;
}

export function createFakeLoop(): FakeLoop {
  const next: (() => void)[] = [];
  let ms = 0;
  return {
    now: () => ms,
    runNextTurn: (work) => void next.push(work),
    pass(by) {
      ms += by;
    },
    turn() {
      for (const work of next.splice(0)) work();
    },
  };
}
