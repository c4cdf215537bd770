import { pointerTo } from '../../json/pointer.js';
import type { Names } from '../modules/yang-module.js';
import type { Statement } from '../syntax/statement.js';
import {
  dataParent,
  hasDistinctValues,
  keysOf,
  minimumOf,
  propertiesOf,
  type SchemaNode,
  splitWords,
  valueOf,
} from '../tree/schema-node.js';
import { findSchemaNode, stepsIn } from '../tree/schema-path.js';
import type { Conditions } from './conditions.js';
import type { Condition, DataDefinition, DataDefinitions } from './data-definition.js';
import { DataNode } from './data-node.js';
import { hasContent } from './defaults.js';
import type { StepBudget } from './step-budget.js';
import type { ViolationList } from './violations.js';

/** Dependencies of {@link StructureCheck}. */
interface StructureCheckOptions {
  readonly names: Names;
  readonly definitions: DataDefinitions;
  readonly conditions: Conditions;
  readonly budget: StepBudget;
  readonly violations: ViolationList;
}

/** Checks which nodes are needed, how many there are, and which of them must differ. */
export class StructureCheck {
  readonly #options: StructureCheckOptions;
  readonly #uniques = new Map<Statement, Map<SchemaNode, readonly (readonly string[])[]>>();

  constructor(options: StructureCheckOptions) {
    this.#options = options;
  }

  /** Checks the children of a node. `nodes` are the schema nodes of the children. */
  check(parent: DataNode, nodes: readonly SchemaNode[]): void {
    for (const node of nodes) {
      if (!this.#options.definitions.isIncluded(node)) continue;
      if (node.kind === 'choice') this.#checkChoice(parent, node);
      else this.#checkNode(parent, this.#options.definitions.of(node));
    }
  }

  #checkNode(parent: DataNode, definition: DataDefinition): void {
    const { node } = definition;
    const instances = parent.named(definition.qualified).filter(({ presence }) => presence !== 'absent');
    this.#options.budget.spend(1 + instances.length);
    if (node.kind === 'list' || node.kind === 'leaf-list') {
      this.#checkCount(parent, definition, instances.length);
      if (instances.length > 1) this.#checkDifferent(node, instances);
    } else if (instances.length === 0 && valueOf(node, 'mandatory') === 'true')
      this.#checkMissing(parent, definition);
  }

  #checkMissing(parent: DataNode, definition: DataDefinition): void {
    if (this.#mayExist(parent, definition))
      this.#options.violations.add({
        pointer: pointerTo(parent.pointer, definition.member),
        rule: 'mandatory',
        message: 'is mandatory, and is missing',
      });
  }

  /** Evaluates the conditions of a node that is missing, with a node without content in its place (7.21.5). */
  #mayExist(parent: DataNode, definition: DataDefinition): boolean {
    const { conditions } = this.#options;
    return conditions.hold(new DataNode({ definition, parent }), definition.conditions);
  }

  #checkCount(parent: DataNode, definition: DataDefinition, count: number): void {
    const { node, member } = definition;
    const [min, max] = [minimumOf(node), valueOf(node, 'max-elements') ?? 'unbounded'];
    const pointer = pointerTo(parent.pointer, member);
    if (count < min && (count > 0 || this.#mayExist(parent, definition)))
      this.#options.violations.add({
        pointer,
        rule: 'min-elements',
        message: `must have at least ${min} ${min === 1 ? 'entry' : 'entries'}`,
        appTag: 'too-few-elements',
      });
    if (max !== 'unbounded' && count > Number(max))
      this.#options.violations.add({
        pointer,
        rule: 'max-elements',
        message: `must have at most ${max} ${max === '1' ? 'entry' : 'entries'}`,
        appTag: 'too-many-elements',
      });
  }

  #checkDifferent(node: SchemaNode, instances: readonly DataNode[]): void {
    if (node.kind === 'leaf-list') {
      if (hasDistinctValues(node))
        this.#checkDistinct(instances, { rule: 'key', of: 'value' }, (leaf) => [identityOf(leaf)]);
      return;
    }
    const keys = keysOf(node).map((key) => `${node.module.name}:${key}`);
    if (keys.length > 0)
      this.#checkDistinct(instances, { rule: 'key', of: 'keys' }, (entry) =>
        keys.map((key) => leafIdentity(entry, [key])),
      );
    for (const unique of propertiesOf(node, 'unique')) {
      const paths = this.#pathsOf(unique, node);
      this.#checkDistinct(instances, { rule: 'unique', of: `unique "${unique.argument}"` }, (entry) =>
        paths.map((path) => leafIdentity(entry, path)),
      );
    }
  }

  /** Reports an entry whose values all exist and equal those of an earlier entry. */
  #checkDistinct(
    instances: readonly DataNode[],
    { rule, of }: { readonly rule: 'key' | 'unique'; readonly of: string },
    valuesOf: (instance: DataNode) => readonly (string | undefined)[],
  ): void {
    const seen = new Map<string, number>();
    for (const [at, instance] of instances.entries()) {
      this.#options.budget.spend(1);
      const values = valuesOf(instance);
      if (values.includes(undefined)) continue;
      const identity = JSON.stringify(values);
      const earlier = seen.get(identity);
      if (earlier === undefined) seen.set(identity, instance.index ?? at);
      else
        this.#options.violations.add({
          pointer: instance.pointer,
          rule,
          message: `must differ from entry ${earlier} in its ${of}`,
          ...(rule === 'unique' && { appTag: 'data-not-unique' }),
        });
    }
  }

  /** Returns the qualified names of the steps to each leaf of a `unique` statement. */
  #pathsOf(unique: Statement, list: SchemaNode): readonly (readonly string[])[] {
    const byList = this.#uniques.get(unique) ?? new Map<SchemaNode, readonly (readonly string[])[]>();
    this.#uniques.set(unique, byList);
    const known = byList.get(list);
    if (known) return known;
    const context = { at: unique, names: this.#options.names, defaultModule: list.module };
    const paths = splitWords(unique.argument).map((path) => {
      const names: string[] = [];
      let at = findSchemaNode(list.children, stepsIn(path.split('/'), context));
      for (; at && at !== list; at = dataParent(at)) names.unshift(`${at.module.name}:${at.name}`);
      return names;
    });
    byList.set(list, paths);
    return paths;
  }

  #checkChoice(parent: DataNode, choice: SchemaNode): void {
    const { violations, conditions, definitions } = this.#options;
    const present = choice.children.filter(
      (one) => definitions.isIncluded(one) && this.#isPresent(parent, one),
    );
    const [first] = present;
    this.#checkOneCase(parent, choice);
    if (!first) {
      if (
        valueOf(choice, 'mandatory') === 'true' &&
        conditions.hold(new DataNode({ definition: undefined, parent }), conditionsOfChoice(choice))
      )
        violations.add({
          pointer: parent.pointer,
          rule: 'choice',
          message: `must have a case of the choice "${choice.name}": ${choice.children.map(({ name }) => name).join(', ')}`,
          appTag: 'missing-choice',
        });
      return;
    }
    for (const one of present) this.check(parent, one.children);
  }

  #isPresent(parent: DataNode, one: SchemaNode): boolean {
    return this.#options.definitions
      .childrenOf(one.children)
      .list.some(({ qualified }) => parent.named(qualified).some(hasContent));
  }

  /** Reports nodes of a second case. An empty container counts if it is written, as it does for the schema and libyang. */
  #checkOneCase(parent: DataNode, choice: SchemaNode): void {
    const { violations, definitions } = this.#options;
    const written = choice.children.flatMap((one) => {
      if (!definitions.isIncluded(one)) return [];
      const { list } = definitions.childrenOf(one.children);
      const found = list.find(({ qualified }) => parent.named(qualified).some(isWritten));
      return found ? [{ name: one.name, member: found.member }] : [];
    });
    const [first, second] = written;
    if (first && second)
      violations.add({
        pointer: pointerTo(parent.pointer, second.member),
        rule: 'choice',
        message: `cannot be combined with the case "${first.name}" of the choice "${choice.name}"`,
      });
  }
}

function isWritten({ isDefault, presence }: DataNode): boolean {
  return !isDefault && presence !== 'absent';
}

function conditionsOfChoice(choice: SchemaNode): readonly Condition[] {
  const conditions: Condition[] = [];
  let at: SchemaNode | undefined = choice;
  for (; at && (at.kind === 'choice' || at.kind === 'case'); at = at.parent)
    for (const { statement } of at.whens)
      conditions.push({ statement, fromParent: true, module: at.module.name });
  return conditions;
}

function leafIdentity(entry: DataNode, path: readonly string[]): string | undefined {
  let node: DataNode | undefined = entry;
  for (const name of path) {
    node = node.named(name)[0];
    if (!node || node.presence === 'absent') return undefined;
  }
  return identityOf(node);
}

/** Distinguishes equal texts of different members of a union. */
function identityOf(leaf: DataNode): string {
  return `${leaf.type?.base ?? ''} ${leaf.value}`;
}
