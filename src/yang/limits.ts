import { InvalidYang } from './diagnostic.js';
import type { TextPosition } from './syntax/statement.js';

/** Limits of one compilation. */
export interface Limits {
  /** Maximum total length of all texts, in characters. */
  readonly bytes: number;
  readonly statements: number;
  /** Maximum nesting of statements and of schema nodes. */
  readonly depth: number;
  /** Maximum number of schema nodes after groupings are expanded. */
  readonly nodes: number;
  readonly milliseconds: number;
}

/** Limits of a compilation without other limits. */
export const DEFAULT_LIMITS: Limits = {
  bytes: 64 * 1024 * 1024,
  statements: 4_000_000,
  depth: 200,
  nodes: 1_000_000,
  milliseconds: 60_000,
};

/** Numbers of the nodes and of the uses of groupings. */
type Counts = Readonly<Record<'nodes' | 'uses', number>>;

/** Number of steps between two checks of the clock. */
const STEPS_PER_CLOCK_CHECK = 4096;

/**
 * Counts the resources that a compilation uses. Throws {@link OverBudget} if a limit is exceeded, which ends
 * the compilation.
 */
export class Budget {
  readonly limits: Limits;
  readonly #now: () => number;
  readonly #end: number;
  #bytes = 0;
  #statements = 0;
  #nodes = 0;
  #uses = 0;
  #steps = 0;

  constructor(limits: Limits, now: () => number) {
    this.limits = limits;
    this.#now = now;
    this.#end = now() + limits.milliseconds;
  }

  get nodes(): number {
    return this.#nodes;
  }

  get uses(): number {
    return this.#uses;
  }

  takeBytes(count: number, at: TextPosition): void {
    this.#bytes += count;
    if (this.#bytes > this.limits.bytes)
      throw new OverBudget(at, 'bytes', `more than ${this.limits.bytes} characters of YANG`);
  }

  takeStatement(depth: number, at: TextPosition): void {
    this.#statements += 1;
    if (this.#statements > this.limits.statements)
      throw new OverBudget(at, 'statements', `more than ${this.limits.statements} statements`);
    this.checkDepth(depth, at);
    this.step(at);
  }

  takeNode(depth: number, at: TextPosition): void {
    this.#nodes += 1;
    if (this.#nodes > this.limits.nodes)
      throw new OverBudget(
        at,
        'nodes',
        `the schema tree has more than ${this.limits.nodes} nodes; do groupings multiply?`,
      );
    this.checkDepth(depth, at);
    this.step(at);
  }

  /** Counts one use of a grouping. Node counts are not enough, because a grouping may contain only `uses`. */
  takeUse(at: TextPosition): void {
    this.#uses += 1;
    if (this.#uses > this.limits.nodes)
      throw new OverBudget(at, 'nodes', `more than ${this.limits.nodes} groupings are used`);
    this.step(at);
  }

  /** Counts the copies of the nodes of a grouping. Returns false, and counts nothing, if they would exceed a limit. */
  takeCopy({ counts, height }: { readonly counts: Counts; readonly height: number }, depth: number): boolean {
    const nodes = this.#nodes + counts.nodes;
    const uses = this.#uses + counts.uses;
    const { limits } = this;
    if (nodes > limits.nodes || uses > limits.nodes || depth + height - 1 > limits.depth) return false;
    this.#nodes = nodes;
    this.#uses = uses;
    return true;
  }

  /** Counts one step of any other work, and checks the time limit at intervals. */
  step(at: TextPosition): void {
    this.#steps += 1;
    if (this.#steps % STEPS_PER_CLOCK_CHECK === 0 && this.#now() > this.#end)
      throw new OverBudget(at, 'milliseconds', `compiling takes longer than ${this.limits.milliseconds} ms`);
  }

  /** Throws if statements or nodes are nested too deeply. */
  checkDepth(depth: number, at: TextPosition): void {
    if (depth > this.limits.depth)
      throw new OverBudget(at, 'depth', `nested deeper than ${this.limits.depth} levels`);
  }
}

/** Thrown if a compilation exceeds a limit. */
class OverBudget extends InvalidYang {
  constructor(at: TextPosition, limit: keyof Limits, message: string) {
    super(at, 'limit', message);
    this.limit = limit;
  }
}
