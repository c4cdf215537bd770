import { memberName, qualifiedName } from '../json-schema/data-path.js';
import type { Statement } from '../syntax/statement.js';
import type { When } from '../tree/node-definition.js';
import { dataChildren, isOperation, propertiesOf, type SchemaNode } from '../tree/schema-node.js';

/** Condition that decides whether a node may exist (RFC 7950 7.21.5). */
export interface Condition {
  readonly statement: Statement;
  /** True if the context node is the parent of the data node. */
  readonly fromParent: boolean;
  /** Module of names without a prefix. */
  readonly module: string;
}

/** Schema node that has instances, prepared for the validation of documents. Created once per schema node. */
export interface DataDefinition {
  readonly node: SchemaNode;
  /** `module:name`. */
  readonly qualified: string;
  /** Name of the member in a document (RFC 7951 section 4). */
  readonly member: string;
  /** Conditions of the node, and of the choices and cases around it. */
  readonly conditions: readonly Condition[];
  readonly musts: readonly Statement[];
  readonly children: DataChildren;
}

/** Data definitions inside a node, without choices and cases. */
export interface DataChildren {
  readonly list: readonly DataDefinition[];
  readonly byMember: ReadonlyMap<string, DataDefinition>;
  readonly byQualifiedName: ReadonlyMap<string, DataDefinition>;
}

/** Creates the data definitions of schema nodes on first use. */
export class DataDefinitions {
  readonly #isIncluded: (node: SchemaNode) => boolean;
  readonly #starts = new Set<SchemaNode>();
  readonly #known = new Map<SchemaNode, DataDefinition>();

  /** `isIncluded` selects the nodes that documents may contain. */
  constructor(isIncluded: (node: SchemaNode) => boolean) {
    this.#isIncluded = (node) => !isOperation(node) && isIncluded(node);
  }

  isIncluded(node: SchemaNode): boolean {
    return this.#isIncluded(node) || this.#starts.has(node);
  }

  /** Sets the definition of the root node of a document, which may be an operation. */
  begin(node: SchemaNode, definition: DataDefinition): DataDefinition {
    this.#starts.add(node);
    this.#known.set(node, definition);
    return definition;
  }

  of(node: SchemaNode): DataDefinition {
    const known = this.#known.get(node);
    if (known) return known;
    const definition = this.#create(node);
    this.#known.set(node, definition);
    return definition;
  }

  /** Returns the definitions among sibling schema nodes, in the order of the schema. */
  childrenOf(nodes: readonly SchemaNode[]): DataChildren {
    const included = nodes.filter((node) => this.#isIncluded(node));
    const list = dataChildren(included)
      .filter((node) => this.#isIncluded(node))
      .map((node) => this.of(node));
    return {
      list,
      byMember: new Map(list.map((definition) => [definition.member, definition])),
      byQualifiedName: new Map(list.map((definition) => [definition.qualified, definition])),
    };
  }

  #create(node: SchemaNode): DataDefinition {
    let children: DataChildren | undefined;
    const childrenOf = (): DataChildren => (children ??= this.childrenOf(node.children));
    return {
      node,
      qualified: qualifiedName(node),
      member: memberName(node),
      conditions: conditionsOf(node),
      musts: propertiesOf(node, 'must'),
      get children() {
        return childrenOf();
      },
    };
  }
}

function conditionsOf(node: SchemaNode): readonly Condition[] {
  const conditions = node.whens.map((when) => conditionOf(when, node));
  for (let around = node.parent; around && isChoiceOrCase(around); around = around.parent)
    for (const { statement } of around.whens)
      conditions.push({ statement, fromParent: true, module: around.module.name });
  return conditions;
}

function conditionOf({ statement, fromParent }: When, node: SchemaNode): Condition {
  return { statement, fromParent, module: node.module.name };
}

function isChoiceOrCase({ kind }: SchemaNode): boolean {
  return kind === 'choice' || kind === 'case';
}
