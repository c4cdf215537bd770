import type { Names } from '../modules/yang-module.js';
import { argumentOf, type Statement } from '../syntax/statement.js';
import type { EvaluationScope } from '../xpath/context.js';
import type { Evaluator } from '../xpath/evaluate.js';
import { parseXPath } from '../xpath/parse-xpath.js';
import type { Condition } from './data-definition.js';
import type { DataNode } from './data-node.js';
import type { StepBudget } from './step-budget.js';
import type { ViolationList } from './violations.js';

/** Thrown if an expression needs data outside the document, or a pattern that cannot be used. The rule is then not checked. */
export class UncheckableRule extends Error {}

/** Dependencies of {@link Conditions}. */
interface ConditionsOptions {
  readonly names: Names;
  readonly root: DataNode;
  readonly budget: StepBudget;
  readonly violations: ViolationList;
  /** Invalid conditions, which a lenient compilation accepts. */
  readonly unenforced: ReadonlySet<Statement>;
  /** The evaluator uses the conditions, because conditions decide which nodes exist. */
  readonly evaluator: () => Evaluator;
}

/** Evaluates `when` and `must` (RFC 7950 7.21.5 and 7.5.3). */
export class Conditions {
  readonly #options: ConditionsOptions;
  #depth = 0;

  constructor(options: ConditionsOptions) {
    this.#options = options;
  }

  /**
   * Returns true if a node exists. Evaluates its conditions on first use, and before them those of the nodes that they
   * refer to. Reports a node of the document whose condition is false.
   */
  exists(node: DataNode): boolean {
    if (node.presence === 'pending') {
      node.presence = 'evaluating';
      const violated = this.#violatedCondition(node, node.definition?.conditions ?? []);
      if (violated && !node.isDefault)
        this.#options.violations.add({
          pointer: node.pointer,
          rule: 'when',
          message: `is only allowed when "${withoutBreaks(violated.statement.argument)}"`,
        });
      node.presence = violated && node.isDefault ? 'absent' : 'present';
    }
    return node.presence !== 'absent';
  }

  /** Returns true if all conditions of a node are true. The node need not be part of the tree. */
  hold(node: DataNode, conditions: readonly Condition[]): boolean {
    return this.#violatedCondition(node, conditions) === undefined;
  }

  /** Reports the `must` statements that a node violates. */
  checkMusts(node: DataNode, musts: readonly Statement[]): void {
    for (const must of musts) {
      if (this.#evaluate(must, node, node.definition?.node.module.name ?? '')) continue;
      const message = argumentOf(must, 'error-message');
      const rule = `violates must "${withoutBreaks(must.argument)}"`;
      this.#options.violations.add({
        pointer: node.pointer,
        rule: 'must',
        message: message === undefined ? rule : `${rule}: ${withoutBreaks(message)}`,
        appTag: argumentOf(must, 'error-app-tag') ?? 'must-violation',
      });
    }
  }

  /** Creates the scope of the expression in a statement. */
  scopeOf(statement: Statement, current: DataNode, module: string): EvaluationScope {
    const { names, root } = this.#options;
    return {
      root,
      current,
      module,
      moduleOf: (prefix) => names.moduleOf(statement, prefix)?.name,
      prefixOf: (of) => names.prefixOf(statement, of),
    };
  }

  #violatedCondition(node: DataNode, conditions: readonly Condition[]): Condition | undefined {
    return conditions.find(({ statement, fromParent, module }) => {
      const context = fromParent ? node.parent : node;
      return context && !this.#evaluate(statement, context, module);
    });
  }

  #evaluate(statement: Statement, node: DataNode, module: string): boolean {
    const { names, budget, evaluator, unenforced } = this.#options;
    if (unenforced.has(statement)) return true;
    const outerRule = budget.rule;
    budget.rule = `${statement.keyword} "${withoutBreaks(statement.argument).slice(0, 200)}"`;
    this.#depth += 1;
    budget.checkDepth(this.#depth);
    try {
      const scope = this.scopeOf(statement, node, module);
      return evaluator().boolean(parseXPath(statement, names), { scope, node, position: 1, size: 1 });
    } catch (error) {
      if (error instanceof UncheckableRule) return true;
      throw error;
    } finally {
      this.#depth -= 1;
      budget.rule = outerRule;
    }
  }
}

/** Returns a text of a module on one line. */
function withoutBreaks(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}
