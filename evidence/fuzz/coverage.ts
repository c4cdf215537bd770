import { type Profiler, Session } from 'node:inspector';

type Range = Pick<Profiler.CoverageRange, 'startOffset' | 'endOffset'>;

/** Records which parts of the code have run so far, from the coverage counters of V8 in this process. */
export class Coverage {
  readonly #session = new Session();
  readonly #isWatched: (url: string) => boolean;
  /** Of each function that ran, the parts that never did. */
  readonly #left = new Map<string, readonly Range[]>();

  /** Watches the scripts whose URLs are. */
  constructor(isWatched: (url: string) => boolean) {
    this.#isWatched = isWatched;
    this.#session.connect();
    this.#session.post('Profiler.enable');
    this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  }

  /** True when something ran since the last look that never ran before; `keep` remembers it. */
  look(keep: boolean): boolean {
    let isNew = false;
    for (const { url, functions } of this.#take())
      for (const { ranges } of functions) {
        const [whole, ...parts] = ranges;
        if (!whole || whole.count === 0) continue;
        const key = `${url}:${whole.startOffset}:${whole.endOffset}`;
        const previous = this.#left.get(key);
        if (previous?.length === 0) continue;
        const idle = parts.filter(({ count }) => count === 0);
        const left = previous ? previous.flatMap((one) => overlaps(one, idle)) : idle;
        if (previous && sizeOf(left) === sizeOf(previous)) continue;
        isNew = true;
        if (keep) this.#left.set(key, left);
      }
    return isNew;
  }

  stop(): void {
    this.#session.post('Profiler.stopPreciseCoverage');
    this.#session.disconnect();
  }

  #take(): readonly Profiler.ScriptCoverage[] {
    let taken: readonly Profiler.ScriptCoverage[] = [];
    // The callback runs synchronously, because the session belongs to this thread.
    this.#session.post('Profiler.takePreciseCoverage', (_error, { result }) => {
      taken = result.filter(({ url }) => this.#isWatched(url));
    });
    return taken;
  }
}

function overlaps(one: Range, others: readonly Range[]): readonly Range[] {
  return others
    .map((other) => ({
      startOffset: Math.max(one.startOffset, other.startOffset),
      endOffset: Math.min(one.endOffset, other.endOffset),
    }))
    .filter(({ startOffset, endOffset }) => startOffset < endOffset);
}

function sizeOf(ranges: readonly Range[]): number {
  return ranges.reduce((sum, { startOffset, endOffset }) => sum + endOffset - startOffset, 0);
}
