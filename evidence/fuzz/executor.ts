import type { Progress } from './progress.js';

/** A parser and its invariants. */
export interface FuzzTarget {
  /** Inputs to begin with. */
  readonly seeds: readonly string[];
  /** Pieces of its language. */
  readonly tokens: readonly string[];
  /** Has the parser read an input; throws when something does not hold. It keeps nothing of the input. */
  readonly run: (input: Buffer) => void;
}

/** An input that something does not hold for. */
export interface Failure {
  /** `hang` for an input that takes longer than a second. */
  readonly kind: 'crash' | 'hang';
  readonly input: Uint8Array;
  readonly message: string;
}

/** Maximum time of one input, in milliseconds. */
const MOST_MS = 1_000;
/** Number of stack frames of a reported error; other errors may have none. */
const FRAMES = 10;

/** Runs a parser on one input after the other, until an input fails. */
export class Executor {
  readonly #run: FuzzTarget['run'];
  readonly #progress: Progress;
  #slowestMs = 0;
  #failure: Failure | undefined;

  constructor({ run }: FuzzTarget, progress: Progress) {
    this.#run = run;
    this.#progress = progress;
  }

  get executions(): number {
    return this.#progress.begun;
  }

  get slowestMs(): number {
    return this.#slowestMs;
  }

  /** The first input that failed, as short as it could be made. */
  get failure(): Failure | undefined {
    return this.#failure;
  }

  execute(input: Buffer): void {
    const begun = performance.now();
    const error = this.#errorOf(input);
    const ms = performance.now() - begun;
    if (error) this.#failure ??= this.#crash(Buffer.from(input), error);
    else if (ms > this.#slowestMs) this.#time(input, ms);
  }

  /** Once more, because the machine may have had something else to do. */
  #time(input: Buffer, firstMs: number): void {
    const since = process.cpuUsage();
    this.#errorOf(input);
    const ms = Math.min(firstMs, processorMs(since));
    this.#slowestMs = Math.max(this.#slowestMs, ms);
    if (ms > MOST_MS)
      this.#failure ??= { kind: 'hang', input: Buffer.from(input), message: `took ${Math.round(ms)} ms` };
  }

  #crash(input: Buffer, first: Error): Failure {
    Error.stackTraceLimit = FRAMES;
    const error = this.#errorOf(input) ?? first;
    const place = placeOf(error);
    const shortest = minimise(input, (shorter) => {
      const other = this.#errorOf(shorter);
      return other !== undefined && placeOf(other) === place;
    });
    return { kind: 'crash', input: shortest, message: error.stack ?? error.message };
  }

  #errorOf(input: Buffer): Error | undefined {
    this.#progress.begin(input);
    try {
      this.#run(input);
      return undefined;
    } catch (cause) {
      return cause instanceof Error ? cause : new Error(String(cause));
    }
  }
}

/** Returns the CPU time of the process since then, in milliseconds; other programs do not increase it. */
export function processorMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000;
}

/** Returns a shortened input: removes all pieces without which the input still fails. */
export function minimise(input: Buffer, stillFails: (shorter: Buffer) => boolean): Buffer {
  let least = input;
  for (let size = Math.ceil(least.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    let at = 0;
    while (at < least.length) {
      const shorter = Buffer.concat([least.subarray(0, at), least.subarray(at + size)]);
      if (stillFails(shorter)) least = shorter;
      else at += size;
    }
  }
  return least;
}

/** Returns the place of the throw without the message, because the message may contain the input. */
function placeOf({ stack = '' }: Error): string {
  const frames = stack.split('\n').filter((line) => line.startsWith('    at '));
  return frames.slice(0, 2).join('\n');
}
