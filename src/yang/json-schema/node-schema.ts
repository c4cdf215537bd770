import type { Names } from '../modules/yang-module.js';
import {
  dataChildren,
  isHollow,
  isInsideOperation,
  isNeeded,
  isOperation,
  keysOf,
  minimumOf,
  type SchemaNode,
  valueOf,
} from '../tree/schema-node.js';
import { Annotations, type Content } from './annotations.js';
import { type MemberRules, objectRules } from './choice-rules.js';
import { type Definitions, type Schema, TYPE } from './definitions.js';
import { memberName, qualifiedName } from './data-path.js';
import { TypeSchemas } from './type-schema.js';

/** Dependencies of {@link NodeSchemas}. */
export interface NodeSchemasOptions {
  readonly names: Names;
  readonly content: Content;
  readonly definitions: Definitions;
}

/** Members that begin with `@` are annotations (RFC 7952), which any node may have. */
const METADATA = { '^@': {} };

/** Writes the schemas of nodes for RFC 7951 documents. */
export class NodeSchemas {
  readonly #content: Content;
  readonly #definitions: Definitions;
  readonly #annotations: Annotations;
  readonly #types: TypeSchemas;
  readonly #rules: MemberRules;

  constructor({ names, content, definitions }: NodeSchemasOptions) {
    this.#content = content;
    this.#definitions = definitions;
    this.#annotations = new Annotations(names, content);
    this.#types = new TypeSchemas(definitions);
    const included = (node: SchemaNode) => this.included(node);
    this.#rules = { included, needed: (node) => isNeeded(node, included), nameOf: memberName };
  }

  /** Returns true if documents of the wanted kind contain the node. */
  included(node: SchemaNode): boolean {
    if (isOperation(node)) return false;
    return this.#content === 'all' || node.config || isInsideOperation(node);
  }

  /** Returns the schema of the object that has these nodes as members, list keys first. */
  object(nodes: readonly SchemaNode[], keys: readonly string[] = []): Schema {
    const members = inOrder(
      dataChildren(nodes.filter((node) => this.included(node))).filter((node) => this.included(node)),
      keys,
    );
    const { required, allOf } = objectRules(nodes, this.#rules);
    const all = [...keys, ...required.filter((name) => !keys.includes(name))];
    return {
      type: 'object',
      properties: Object.fromEntries(members.map((node) => [memberName(node), this.node(node)])),
      patternProperties: METADATA,
      additionalProperties: false,
      ...(all.length > 0 && { required: all }),
      ...(allOf.length > 0 && { allOf }),
    };
  }

  /**
   * Returns the schema of a container. A hollow container in a case requires nothing while it is empty,
   * because it does not select the case (RFC 7950 7.9).
   */
  #container(node: SchemaNode): Schema {
    const { required, allOf, ...shape } = this.object(node.children);
    const rules = { ...(required !== undefined && { required }), ...(allOf !== undefined && { allOf }) };
    if (node.parent?.kind !== 'case' || !isHollow(node) || Object.keys(rules).length === 0)
      return { ...shape, ...rules };
    return { ...shape, if: { minProperties: 1 }, then: rules };
  }

  /**
   * Returns the schema of a document that contains one node from anywhere in the tree, under its qualified
   * name.
   */
  document(node: SchemaNode): Schema {
    const name = qualifiedName(node);
    const needed =
      node.kind === 'notification' || (isHalf(node) && node.children.some((one) => this.#rules.needed(one)));
    return {
      type: 'object',
      properties: { [name]: this.node(node) },
      patternProperties: METADATA,
      additionalProperties: false,
      ...(needed && { required: [name] }),
    };
  }

  /** Returns the schema of one node's value. */
  node(node: SchemaNode): Schema {
    return this.#definitions.keep({ ...this.#annotations.of(node), ...this.#shape(node) }, node.name);
  }

  #shape(node: SchemaNode): Schema {
    switch (node.kind) {
      case 'leaf':
        return { [TYPE]: this.#type(node) };
      case 'leaf-list':
        return {
          type: 'array',
          items: this.#type(node),
          ...counts(node),
          ...(node.config && { uniqueItems: true }),
        };
      case 'list':
        return { type: 'array', items: this.object(node.children, keysOf(node)), ...counts(node) };
      case 'anydata':
        return { type: 'object' };
      case 'anyxml':
        return {};
      case 'container':
        return this.#container(node);
      default:
        return this.object(node.children);
    }
  }

  #type(node: SchemaNode): Schema {
    return node.type ? this.#types.schemaOf(node.type, node) : {};
  }
}

/** Returns nodes in the order for data entry: keys first, then as written. */
export function inOrder(nodes: readonly SchemaNode[], keys: readonly string[]): readonly SchemaNode[] {
  if (keys.length === 0) return nodes;
  const first = keys.flatMap((key) => nodes.find(({ name, kind }) => name === key && kind === 'leaf') ?? []);
  return [...first, ...nodes.filter((node) => !first.includes(node))];
}

function isHalf({ kind }: SchemaNode): boolean {
  return kind === 'input' || kind === 'output';
}

function counts(node: SchemaNode): Schema {
  const least = minimumOf(node);
  const most = valueOf(node, 'max-elements') ?? 'unbounded';
  return { ...(least > 0 && { minItems: least }), ...(most !== 'unbounded' && { maxItems: Number(most) }) };
}
