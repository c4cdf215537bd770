import { keysOf } from '../tree/schema-node.js';
import type { Evaluator } from '../xpath/evaluate.js';
import type { DataChildren, DataDefinition } from './data-definition.js';
import type { DataNode } from './data-node.js';
import type { ValueReader } from './value-reader.js';

/** Dependencies of {@link InstanceFinder}. */
interface InstanceFinderOptions {
  readonly root: DataNode;
  /** Definitions of the nodes at the root. */
  readonly children: DataChildren;
  readonly values: ValueReader;
  readonly evaluator: () => Evaluator;
}

/** Instance; undefined if the document does not contain it. A fault if the model has no such node. */
type FoundInstance = { readonly node: DataNode | undefined } | { readonly fault: string };

const STEP =
  /\/([A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?)((?:\s*\[\s*(?:[1-9][0-9]*|(?:\.|[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?)\s*=\s*(?:"[^"]*"|'[^']*'))\s*\])*)/y;
const PREDICATE =
  /\[\s*(?:([1-9][0-9]*)|(\.|[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?)\s*=\s*(?:"([^"]*)"|'([^']*)'))\s*\]/g;

/** Step of an instance-identifier with its predicates. */
interface InstanceStep {
  readonly name: string;
  readonly position: number | undefined;
  /** Values by the names in the predicates. */
  readonly values: ReadonlyMap<string, string>;
}

/** Step of an instance-identifier with its node of the model. */
interface KnownStep {
  readonly qualified: string;
  readonly definition: DataDefinition;
  readonly step: InstanceStep;
}

/** Step without a node of the model, and the fault that it is if the instance must exist. */
interface UnknownStep {
  readonly qualified: string;
  readonly unknown: string;
}

type WalkedStep = KnownStep | UnknownStep | { readonly fault: string };

/** Parses an instance-identifier (RFC 7951 6.11); undefined if its form is invalid. */
function stepsOf(text: string): readonly InstanceStep[] | undefined {
  const steps: InstanceStep[] = [];
  let at = 0;
  while (at < text.length) {
    STEP.lastIndex = at;
    const match = STEP.exec(text);
    if (!match) return undefined;
    at = STEP.lastIndex;
    const predicates = [...(match[2] ?? '').matchAll(PREDICATE)];
    const position = predicates.map(([, digits]) => digits).find((digits) => digits !== undefined);
    const values = predicates.flatMap(([, , name, quoted, single]) =>
      name === undefined ? [] : [[name, quoted ?? single ?? ''] as const],
    );
    if (position !== undefined && predicates.length > 1) return undefined;
    if (new Map(values).size < values.length) return undefined;
    steps.push({
      name: match[1] ?? '',
      position: position === undefined ? undefined : Number(position),
      values: new Map(values),
    });
  }
  return steps.length > 0 ? steps : undefined;
}

/** Finds the nodes that instance-identifiers in the encoding of RFC 7951 refer to. */
export class InstanceFinder {
  readonly #options: InstanceFinderOptions;
  /** Entries by their keys, for each node with entries. */
  readonly #indexes = new Map<DataNode, Map<DataDefinition, ReadonlyMap<string, DataNode>>>();

  constructor(options: InstanceFinderOptions) {
    this.#options = options;
  }

  /** Each list needs all of its keys, or a position if it has none (RFC 7950 9.13). */
  find(text: string): FoundInstance {
    let node: DataNode | undefined = this.#options.root;
    for (const one of this.#walk(text)) {
      if ('fault' in one) return one;
      if (node) this.#options.evaluator().data.enter(node, one.qualified);
      if ('unknown' in one) return { fault: one.unknown };
      node = node && this.#instanceOf(node, one.definition, one.step);
    }
    return { node };
  }

  /** Returns the fault in the form of an instance-identifier whose instance need not exist; undefined without one. */
  formFault(text: string): string | undefined {
    for (const one of this.#walk(text)) {
      if ('fault' in one) return one.fault;
      // The model need not contain the module of the instance.
      if ('unknown' in one) return undefined;
    }
    return undefined;
  }

  /** Yields each step with its definition. Ends after a step that has none. */
  *#walk(text: string): Generator<WalkedStep, void, void> {
    const steps = stepsOf(text);
    if (!steps) yield { fault: 'must be an instance-identifier' };
    let module: string | undefined;
    let { children } = this.#options;
    for (const step of steps ?? []) {
      const walked = walkedStep(step, module, children);
      const fault = 'definition' in walked ? this.#valueFault(walked) : undefined;
      yield fault === undefined ? walked : { fault };
      if (!('definition' in walked)) return;
      module = walked.qualified.slice(0, walked.qualified.indexOf(':'));
      ({ children } = walked.definition);
    }
  }

  /** Returns the instance of a definition inside a node that the predicates of a step select. */
  #instanceOf(parent: DataNode, definition: DataDefinition, step: InstanceStep): DataNode | undefined {
    const { data } = this.#options.evaluator();
    data.budget.spend(1);
    const names = namesInPredicates(definition);
    if (step.position !== undefined || names.length === 0) {
      const present = parent.named(definition.qualified).filter((found) => data.exists(found));
      return present[(step.position ?? 1) - 1];
    }
    const values = names.map((name) => this.#canonicalText(definition, name, step));
    return this.#indexOf(parent, definition, names).get(JSON.stringify(values));
  }

  #indexOf(parent: DataNode, definition: DataDefinition, names: readonly string[]) {
    const indexes = this.#indexes.get(parent) ?? new Map<DataDefinition, ReadonlyMap<string, DataNode>>();
    this.#indexes.set(parent, indexes);
    const known = indexes.get(definition);
    if (known) return known;
    const { data } = this.#options.evaluator();
    const index = new Map<string, DataNode>();
    for (const instance of parent.named(definition.qualified)) {
      data.budget.spend(1);
      if (!data.exists(instance)) continue;
      const values = names.map((name) => (name === '.' ? instance : instance.named(name)[0])?.value ?? null);
      index.set(JSON.stringify(values), instance);
    }
    indexes.set(definition, index);
    return index;
  }

  #canonicalText(definition: DataDefinition, name: string, step: InstanceStep): string {
    const { text, reading } = this.#valueOf(definition, name, step);
    return !reading || 'fault' in reading ? text : reading[0].text;
  }

  /** Returns the fault of a predicate whose value is none of the type of its leaf. */
  #valueFault({ definition, step }: KnownStep): string | undefined {
    if (step.values.size === 0) return undefined;
    for (const name of namesInPredicates(definition)) {
      const { text, reading } = this.#valueOf(definition, name, step);
      if (reading && 'fault' in reading)
        return `has the value "${text}" for "${name === '.' ? definition.qualified : name}", which ${reading.fault}`;
    }
    return undefined;
  }

  /** Reads the value that a predicate gives to a key, or to the leaf-list itself. */
  #valueOf(definition: DataDefinition, name: string, { values }: InstanceStep) {
    const text = values.get(name.replace(/^.*:/, '')) ?? '';
    const { node } =
      name === '.' ? definition : (definition.children.byQualifiedName.get(name) ?? definition);
    const scope = { node, module: node.module.name };
    return { text, reading: node.type && this.#options.values.readText(node.type, text, scope) };
  }
}

/** Finds the definition of a step among the children of the step before, which is in the module. */
function walkedStep(step: InstanceStep, module: string | undefined, children: DataChildren): WalkedStep {
  const [prefix, local] = step.name.includes(':') ? step.name.split(':') : [module, step.name];
  if (prefix === undefined) return { fault: 'must begin with the name of a module (RFC 7951 6.11)' };
  if (prefix === module && step.name.includes(':'))
    return { fault: `must not repeat the module in "${step.name}" (RFC 7951 6.11)` };
  const qualified = `${prefix}:${local}`;
  const definition = children.byQualifiedName.get(qualified);
  if (!definition)
    return { qualified, unknown: `refers to "${qualified}", which is no node of the model there` };
  const fault = predicateFault(definition, step);
  return fault === undefined ? { qualified, definition, step } : { fault };
}

/** Returns the qualified names of the keys of a list; `.` for a leaf-list. */
function namesInPredicates({ node }: DataDefinition): readonly string[] {
  if (node.kind === 'leaf-list') return ['.'];
  return node.kind === 'list' ? keysOf(node).map((key) => `${node.module.name}:${key}`) : [];
}

function predicateFault(definition: DataDefinition, step: InstanceStep): string | undefined {
  const { node, qualified } = definition;
  const { position, values } = step;
  if (node.kind === 'list') return listFault(definition, step);
  if (node.kind === 'leaf-list') {
    const isSelected = position === undefined ? values.size === 1 && values.has('.') : !node.config;
    return isSelected ? undefined : `needs the value of "${qualified}"`;
  }
  const hasPredicate = values.size > 0 || position !== undefined;
  return hasPredicate ? `has a predicate at "${qualified}", which is no list` : undefined;
}

function listFault(
  { node, qualified }: DataDefinition,
  { position, values }: InstanceStep,
): string | undefined {
  const keys = keysOf(node);
  if (keys.length === 0) return position === undefined ? `needs a position in "${qualified}"` : undefined;
  const given = [...values.keys()];
  const repeated = given.find((name) => name.startsWith(`${node.module.name}:`));
  if (repeated !== undefined) return `must not repeat the module in "${repeated}" (RFC 7951 6.11)`;
  return position === undefined && given.length === keys.length && keys.every((key) => given.includes(key))
    ? undefined
    : `needs the keys of "${qualified}": ${keys.join(', ')}`;
}
