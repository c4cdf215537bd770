import type { YangModule } from '../modules/yang-module.js';
import type { Statement } from '../syntax/statement.js';
import type { YangType } from '../types/yang-type.js';
import { keywordBits, mayHave } from './keyword-bits.js';

export type NodeKind =
  | 'container'
  | 'list'
  | 'leaf'
  | 'leaf-list'
  | 'choice'
  | 'case'
  | 'anydata'
  | 'anyxml'
  | 'rpc'
  | 'action'
  | 'input'
  | 'output'
  | 'notification'
  | 'structure';

/** `when` condition of a node, and its context node. */
export interface When {
  readonly statement: Statement;
  /**
   * True if the context node is the parent of the node. This applies to the `when` of a `uses` or `augment`
   * that added the node.
   */
  readonly fromParent: boolean;
}

/**
 * What a schema node has from its statements. The nodes that all uses of a grouping add for one statement share it, because
 * a device model has many more nodes than statements.
 */
export interface NodeDefinition {
  /** Number of the definition. Nodes with different definitions may agree in everything. */
  readonly number: number;
  readonly kind: NodeKind;
  readonly name: string;
  /** Module whose namespace contains the node. */
  readonly module: YangModule;
  /** Statement that defines the node. */
  readonly statement: Statement;
  /** Substatements of the node, after refine and deviation statements are applied. */
  readonly properties: readonly Statement[];
  /** Bits of the keywords of the properties, which tell of most keywords that the node has none. */
  keywords: number;
  /** `if-feature` statements of the `uses` and `augment` statements that added the node. */
  readonly conditions: readonly Statement[];
  /** Conditions of the node itself, and then of the `uses` and `augment` statements that added it. */
  readonly whens: readonly When[];
  /** Type of a leaf or leaf-list, as soon as it is resolved. */
  type: YangType | undefined;
  /** Definitions that `refine`, `uses` and `augment` statements made of this one. */
  derived: Map<Statement, NodeDefinition> | undefined;
}

/** Input of {@link defineNode}. */
export type DefinitionStart = Pick<NodeDefinition, 'kind' | 'name' | 'module' | 'statement' | 'properties'>;

/** Properties of every node without a statement. */
export const NO_PROPERTIES: readonly Statement[] = Object.freeze<Statement[]>([]);

/** Shared by all definitions with an empty list, to save memory. */
const EMPTY_LIST: readonly never[] = [];

let lastNumber = 0;

/** Creates the definition of a node. */
export function defineNode({ kind, name, module, statement, properties }: DefinitionStart): NodeDefinition {
  const keywords = keywordBits(properties);
  const when = mayHave(keywords, 'when') && properties.find(({ keyword }) => keyword === 'when');
  lastNumber += 1;
  return {
    number: lastNumber,
    kind,
    name,
    module,
    statement,
    properties,
    keywords,
    conditions: EMPTY_LIST,
    whens: when ? [{ statement: when, fromParent: false }] : EMPTY_LIST,
    type: undefined,
    derived: undefined,
  };
}

/** Returns a definition with changes that only one node has. */
export function changedDefinition(
  definition: NodeDefinition,
  changes: Partial<Pick<NodeDefinition, 'properties' | 'conditions' | 'whens'>>,
): NodeDefinition {
  lastNumber += 1;
  const keywords = changes.properties ? keywordBits(changes.properties) : definition.keywords;
  return { ...definition, ...changes, keywords, number: lastNumber, type: undefined, derived: undefined };
}

/** Returns a definition with the changes of a statement: the same one whenever the statement changes the definition. */
export function derivedDefinition(
  definition: NodeDefinition,
  source: Statement,
  change: () => Parameters<typeof changedDefinition>[1],
): NodeDefinition {
  let derived = definition.derived?.get(source);
  if (!derived) {
    derived = changedDefinition(definition, change());
    (definition.derived ??= new Map()).set(source, derived);
  }
  return derived;
}

type DefinitionsByStatement = Map<YangModule, Map<Statement, NodeDefinition>>;

/** Definitions of the nodes in groupings, by their module and statement. */
export class SharedDefinitions {
  readonly #written: DefinitionsByStatement = new Map();
  /** Definitions of the cases that a choice has without a statement, by the statement of their only node. */
  readonly #implied: DefinitionsByStatement = new Map();

  /** Returns the definition of a node, which is the same for all nodes with this kind, statement and module. */
  of(start: DefinitionStart): NodeDefinition {
    const byModule = start.kind === start.statement.keyword ? this.#written : this.#implied;
    let byStatement = byModule.get(start.module);
    if (!byStatement) byModule.set(start.module, (byStatement = new Map<Statement, NodeDefinition>()));
    let definition = byStatement.get(start.statement);
    if (!definition) byStatement.set(start.statement, (definition = defineNode(start)));
    return definition;
  }

  /** Forgets all definitions. */
  clear(): void {
    this.#written.clear();
    this.#implied.clear();
  }
}
