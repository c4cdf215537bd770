import type { Target, TargetOptions } from './target.js';

/** Figures of one flood, as they are printed. */
export type FloodFigures = Readonly<Record<string, unknown>>;

/** Result of a flood. */
export interface Outcome {
  readonly figures: FloodFigures;
  /** What is not as wanted, apart from the availability to others; empty if all is. */
  readonly wrong: readonly string[];
}

/** A flood in progress or past. */
export interface Run extends Outcome {
  /** Looks again when others have been watched for a while after the flood. */
  readonly later?: () => Promise<Outcome>;
}

export interface FloodOptions {
  /** 1 is the whole flood; a smaller number is a part of its count and time. */
  readonly part: number;
  /** Factor of time limits, at least 1: how much the machine delays light requests without the flood. */
  readonly noise: number;
}

/** Many or costly requests of one caller, or of a stranger. */
export interface Flood {
  /** Id of the weakness that it looks for. */
  readonly finding: string;
  readonly says: string;
  /** Sends harmless requests first, so that code that runs for the first time does not count as a stop. */
  readonly warmUp?: (target: Target) => Promise<void>;
  /** Sends the flood, and ends when it is over. */
  readonly run: (target: Target, options: FloodOptions) => Promise<Run>;
  /** True if the flood is a row of single requests, none of which may stop the event loop. */
  readonly judgesStops?: boolean;
  /** True if the flood needs a separate network namespace. */
  readonly needsNamespace?: boolean;
  /** Parts of the configuration. */
  readonly prepare?: () => Promise<Omit<TargetOptions, 'isLifted'>>;
  /** Milliseconds for which others are watched after the whole flood. */
  readonly watchMs?: number;
}

/** Returns a whole number of at least one. */
export function partOf(count: number, { part }: Pick<FloodOptions, 'part'>): number {
  return Math.max(1, Math.ceil(count * part));
}
