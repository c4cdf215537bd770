import { InvalidYang, type TextPosition } from './diagnostic.js';

/** Limits of one compilation. */
export interface Limits {
  /** Characters of all texts together. */
  readonly bytes: number;
  readonly statements: number;
  /** Maximum nesting of statements, and of nodes. */
  readonly depth: number;
  /** Nodes of the schema tree after groupings are expanded. */
  readonly nodes: number;
  readonly milliseconds: number;
}

export const DEFAULT_LIMITS: Limits = {
  bytes: 64 * 1024 * 1024,
  statements: 4_000_000,
  depth: 200,
  nodes: 200_000,
  milliseconds: 20_000,
};

/** Number of steps between two checks of the clock. */
const STEPS_PER_LOOK = 4096;

/**
 * Counts the resources that a compilation uses. Exceeding a limit throws, and the compilation ends with that
 * single fault.
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

  takeBytes(count: number, at: TextPosition): void {
    this.#bytes += count;
    if (this.#bytes > this.limits.bytes) throw over(at, `more than ${this.limits.bytes} characters of YANG`);
  }

  takeStatement(depth: number, at: TextPosition): void {
    this.#statements += 1;
    if (this.#statements > this.limits.statements)
      throw over(at, `more than ${this.limits.statements} statements`);
    this.checkDepth(depth, at);
    this.step(at);
  }

  takeNode(depth: number, at: TextPosition): void {
    this.#nodes += 1;
    if (this.#nodes > this.limits.nodes)
      throw over(at, `the schema tree has more than ${this.limits.nodes} nodes; do groupings multiply?`);
    this.checkDepth(depth, at);
    this.step(at);
  }

  /** Counts one use of a grouping, because a grouping may contain only other groupings. */
  takeUse(at: TextPosition): void {
    this.#uses += 1;
    if (this.#uses > this.limits.nodes) throw over(at, `more than ${this.limits.nodes} groupings are used`);
    this.step(at);
  }

  /** Counts one unit of any other work. */
  step(at: TextPosition): void {
    this.#steps += 1;
    if (this.#steps % STEPS_PER_LOOK === 0 && this.#now() > this.#end)
      throw over(at, `compiling takes longer than ${this.limits.milliseconds} ms`);
  }

  /** Throws if statements or nodes are nested too deeply. */
  checkDepth(depth: number, at: TextPosition): void {
    if (depth > this.limits.depth) throw over(at, `nested deeper than ${this.limits.depth} levels`);
  }
}

/** Thrown when a compilation exceeds a limit. */
export class OverBudget extends InvalidYang {}

function over(at: TextPosition, what: string): OverBudget {
  return new OverBudget(at, 'limit', `${what}; send less, or ask the operator to raise the limit`);
}
