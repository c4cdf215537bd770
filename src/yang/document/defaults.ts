import {
  isNonPresenceContainer,
  minimumOf,
  propertiesOf,
  type SchemaNode,
  valueOf,
} from '../tree/schema-node.js';
import type { ValueCheck } from '../types/value-check.js';
import type { DataDefinition, DataDefinitions } from './data-definition.js';
import { DataNode } from './data-node.js';
import type { StepBudget } from './step-budget.js';
import type { Candidate, ValueReader } from './value-reader.js';

/** Dependencies of {@link Defaults}. */
interface DefaultsOptions {
  readonly definitions: DataDefinitions;
  /** Reads the default statements of modules. */
  readonly defaultValues: ValueCheck;
  readonly values: ValueReader;
  readonly budget: StepBudget;
}

/**
 * Adds what a document leaves out and the accessible tree has: default values (RFC 7950 7.6.1 and 7.7.2) and containers
 * without presence (7.5.1).
 */
export class Defaults {
  readonly #options: DefaultsOptions;
  readonly #known = new Map<DataDefinition, readonly Candidate[]>();

  constructor(options: DefaultsOptions) {
    this.#options = options;
  }

  /** Adds the defaults among the children of a node, and below them. `nodes` are the schema nodes of the children. */
  addTo(parent: DataNode, nodes: readonly SchemaNode[]): void {
    const { definitions } = this.#options;
    for (const node of nodes) {
      if (!definitions.isIncluded(node)) continue;
      if (node.kind === 'choice') this.#addToChoice(parent, node);
      else this.#addNode(parent, definitions.of(node));
    }
  }

  #addToChoice(parent: DataNode, choice: SchemaNode): void {
    const chosen =
      choice.children.find((one) => this.#hasData(parent, one)) ??
      choice.children.find(({ name }) => name === valueOf(choice, 'default')?.replace(/^.*:/, ''));
    if (chosen) this.addTo(parent, chosen.children);
  }

  #hasData(parent: DataNode, { children }: SchemaNode): boolean {
    return this.#options.definitions
      .childrenOf(children)
      .list.some(({ qualified }) => parent.named(qualified).some(hasContent));
  }

  #addNode(parent: DataNode, definition: DataDefinition): void {
    const { node } = definition;
    const existing = parent.named(definition.qualified);
    if (node.kind === 'leaf' || node.kind === 'leaf-list') {
      if (existing.length === 0) this.#addLeaves(parent, definition);
      return;
    }
    if (existing.length === 0 && (isNonPresenceContainer(node) || isInputOrOutput(node)))
      this.#add(new DataNode({ definition, parent, isDefault: true }));
    for (const instance of parent.named(definition.qualified)) {
      this.addTo(instance, node.children);
      instance.sort(definition.children.list);
    }
  }

  #addLeaves(parent: DataNode, definition: DataDefinition): void {
    for (const { text, type, reference } of this.#defaultsOf(definition)) {
      const leaf = new DataNode({ definition, parent, isDefault: true });
      leaf.value = text;
      leaf.type = type;
      // As in libyang, the instance of a default is not required, because the document cannot correct it.
      leaf.reference = reference;
      this.#add(leaf);
    }
  }

  #add(node: DataNode): void {
    this.#options.budget.takeNode(node.depth);
    node.parent?.add(node);
  }

  #defaultsOf(definition: DataDefinition): readonly Candidate[] {
    const known = this.#known.get(definition);
    if (known) return known;
    const defaults = this.#readDefaults(definition.node);
    this.#known.set(definition, defaults);
    return defaults;
  }

  #readDefaults(node: SchemaNode): readonly Candidate[] {
    const { type } = node;
    const isRequired = node.kind === 'leaf' ? valueOf(node, 'mandatory') === 'true' : minimumOf(node) > 0;
    if (!type || isRequired) return [];
    const written = propertiesOf(node, 'default');
    const statements = written.length > 0 ? written : type.default ? [type.default] : [];
    return statements.flatMap((statement) => {
      const value = this.#options.defaultValues.read(node, type, statement);
      if ('refused' in value) return [];
      const reading = this.#options.values.read(type, value.json, { node, module: node.module.name });
      return 'fault' in reading ? [] : [reading[0]];
    });
  }
}

/** An operation has an input and an output even if the document leaves them out. */
function isInputOrOutput({ kind }: SchemaNode): boolean {
  return kind === 'input' || kind === 'output';
}

/** Returns false for a container that is equivalent to an absent one (RFC 7950 7.5.1). */
export function hasContent(node: DataNode): boolean {
  if (node.isDefault || node.presence === 'absent') return false;
  if (!node.definition || !isNonPresenceContainer(node.definition.node)) return true;
  for (const group of node.groups()) if (group.some(hasContent)) return true;
  return false;
}
