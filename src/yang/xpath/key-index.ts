import type { DataNode } from '../document/data-node.js';
import { qualifiedNameOf } from './axes.js';
import type { DataAccess, ExpressionEvaluator, XPathContext } from './context.js';
import type { Expression, Step } from './expression.js';
import { isNodeSet, textOf } from './values.js';

/** Smallest number of entries for which an index is worth its cost. */
const MIN_ENTRIES = 16;

/** Entries that an index found, and the predicates that are still to be applied. */
interface IndexedStep {
  readonly nodes: readonly DataNode[];
  readonly predicates: readonly Expression[];
}

/** List entries by the value of a leaf. */
type LeafIndex = ReadonlyMap<string, readonly DataNode[]>;

/** Qualified names of a list and of the leaf that is compared, and the value that it is compared with. */
interface StepNames {
  readonly entry: string;
  readonly leaf: string;
  readonly value: Expression;
}

/** The step, and the means to evaluate its predicate. */
interface StepContext {
  readonly evaluator: ExpressionEvaluator;
  readonly context: XPathContext;
}

/**
 * Indexes of list entries by the value of a leaf. They answer steps such as `list[name = current()/../ref]`, which would
 * otherwise compare all entries for each reference.
 */
export class KeyIndexes {
  readonly #data: DataAccess;
  readonly #indexes = new WeakMap<DataNode, Map<string, LeafIndex>>();

  constructor(data: DataAccess) {
    this.#data = data;
  }

  /** Returns the entries for a step whose first predicate is `leaf = value`; undefined if no index applies. */
  find(node: DataNode, step: Step, at: StepContext): IndexedStep | undefined {
    const names = namesOf(step, at.context.scope.module);
    if (!names) return undefined;
    this.#data.enter(node, names.entry);
    const entries = node.named(names.entry);
    if (entries.length < MIN_ENTRIES) return undefined;
    const text = this.#textOf(names, entries, at);
    if (text === undefined) return undefined;
    const nodes = this.#indexOf(node, names).get(text) ?? [];
    this.#data.budget.spend(1 + nodes.length);
    return { nodes, predicates: step.predicates.slice(1) };
  }

  /** Returns the only text that the leaf is compared with, in its canonical form. */
  #textOf({ leaf, value }: StepNames, entries: readonly DataNode[], at: StepContext): string | undefined {
    const [text, ...others] = this.#valuesOf(value, at) ?? [];
    if (text === undefined || others.length > 0) return undefined;
    if (value.kind !== 'literal') return text;
    const [sample] = entries[0]?.named(leaf) ?? [];
    // The types of other entries may differ.
    if (!sample || sample.definition?.node.type?.base === 'union') return undefined;
    return this.#data.canonicalText(sample, text, at.context.scope) ?? text;
  }

  /** Returns the texts that the leaf is compared with; undefined if a comparison is not one of texts. */
  #valuesOf(value: Expression, { evaluator, context }: StepContext): readonly string[] | undefined {
    const result = evaluator.evaluate(value, context);
    if (typeof result === 'string') return [result];
    return isNodeSet(result) ? result.map((node) => textOf(node, this.#data.budget)) : undefined;
  }

  #indexOf(node: DataNode, { entry: entryName, leaf: leafName }: StepNames): LeafIndex {
    const indexes = this.#indexes.get(node) ?? new Map<string, LeafIndex>();
    this.#indexes.set(node, indexes);
    const name = `${entryName}/${leafName}`;
    const known = indexes.get(name);
    if (known) return known;
    const index = new Map<string, DataNode[]>();
    for (const entry of node.named(entryName)) {
      this.#data.budget.spend(1);
      if (!this.#data.exists(entry)) continue;
      const leaves = entry.named(leafName).filter((leaf) => this.#data.exists(leaf));
      for (const value of new Set(leaves.map((leaf) => leaf.value))) {
        const entries = index.get(value);
        if (entries) entries.push(entry);
        else index.set(value, [entry]);
      }
    }
    indexes.set(name, index);
    return index;
  }
}

/** Comparison of a child leaf with a value that does not depend on the entry. */
interface Equality {
  readonly leaf: { readonly kind: 'name'; readonly module: string | undefined; readonly name: string };
  readonly value: Expression;
}

function namesOf({ axis, test, predicates: [first] }: Step, module: string): StepNames | undefined {
  if (axis !== 'child' || test.kind !== 'name' || !first) return undefined;
  const comparison = equalityOf(first);
  if (!comparison) return undefined;
  const [entry, leaf] = [qualifiedNameOf(test, module), qualifiedNameOf(comparison.leaf, module)];
  return entry === undefined || leaf === undefined ? undefined : { entry, leaf, value: comparison.value };
}

function equalityOf(predicate: Expression): Equality | undefined {
  if (predicate.kind !== 'binary' || predicate.operator !== '=') return undefined;
  const { left, right } = predicate;
  for (const [leaf, value] of [
    [left, right],
    [right, left],
  ] as const) {
    const name = leafNameOf(leaf);
    if (name && isIndependent(value)) return { leaf: name, value };
  }
  return undefined;
}

function leafNameOf(expression: Expression): Equality['leaf'] | undefined {
  if (expression.kind !== 'path' || expression.start !== 'context' || expression.steps.length !== 1)
    return undefined;
  const [step] = expression.steps;
  return step?.axis === 'child' && step.test.kind === 'name' && step.predicates.length === 0
    ? step.test
    : undefined;
}

/** Returns true if a value is the same for every entry: a literal, or a path from the root or from `current()`. */
function isIndependent(expression: Expression): boolean {
  if (expression.kind === 'literal') return true;
  if (expression.kind === 'call') return expression.name === 'current';
  if (expression.kind !== 'path') return false;
  return (
    expression.start === 'root' || (typeof expression.start === 'object' && isIndependent(expression.start))
  );
}
