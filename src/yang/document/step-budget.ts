/** Limits of the validation of one document. */
export interface DocumentLimits {
  /** Maximum number of steps: nodes that are visited, values that are compared. Independent of the machine. */
  readonly steps: number;
  /** Maximum number of nodes, including those that defaults add. */
  readonly nodes: number;
  /** Maximum nesting of data, and of conditions that depend on each other. */
  readonly depth: number;
}

const DEFAULT_DOCUMENT_LIMITS: DocumentLimits = { steps: 20_000_000, nodes: 1_000_000, depth: 200 };

/** Thrown if a validation exceeds a limit. The message names the rule that was checked. */
export class ValidationTooCostly extends Error {}

/** Counts the work of one validation. Throws {@link ValidationTooCostly} if a limit is exceeded. */
export class StepBudget {
  readonly limits: DocumentLimits;
  /** The rule that is being checked, for the message. */
  rule = 'the document';
  #steps = 0;
  #nodes = 0;

  constructor(limits: Partial<DocumentLimits> = {}) {
    this.limits = { ...DEFAULT_DOCUMENT_LIMITS, ...limits };
  }

  get steps(): number {
    return this.#steps;
  }

  spend(steps: number): void {
    this.#steps += steps;
    if (this.#steps > this.limits.steps)
      throw new ValidationTooCostly(
        `Checking ${this.rule} takes more than ${this.limits.steps} steps; send a smaller document, or simplify the rule`,
      );
  }

  takeNode(depth: number): void {
    this.#nodes += 1;
    if (this.#nodes > this.limits.nodes)
      throw new ValidationTooCostly(
        `The document has more than ${this.limits.nodes} nodes with its defaults; send a smaller document`,
      );
    this.checkDepth(depth);
    this.spend(1);
  }

  checkDepth(depth: number): void {
    if (depth > this.limits.depth)
      throw new ValidationTooCostly(
        `Checking ${this.rule} exceeds a nesting of ${this.limits.depth} levels; send a smaller document, or simplify the rule`,
      );
  }
}
