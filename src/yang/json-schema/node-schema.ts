import type { Names } from '../modules/yang-module.js';
import {
  dataChildren,
  isNonPresenceContainer,
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

/** Members that begin with `@` are metadata annotations (RFC 7952), which every object may have. */
const METADATA = { '^@': {} };

/** Writes the JSON Schemas of schema nodes for RFC 7951 documents. */
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
    const isIncluded = (node: SchemaNode) => this.isIncluded(node);
    this.#rules = { isIncluded, isNeeded: (node) => isNeeded(node, isIncluded), nameOf: memberName };
  }

  /** Returns true if the document may contain the node, according to the selected content. */
  isIncluded(node: SchemaNode): boolean {
    if (isOperation(node)) return false;
    return this.#content === 'all' || node.config || isInsideOperation(node);
  }

  /** Returns the schema of an object with the nodes as members, list keys first. */
  object(nodes: readonly SchemaNode[], keys: readonly string[] = []): Schema {
    const members = inOrder(
      dataChildren(nodes.filter((node) => this.isIncluded(node))).filter((node) => this.isIncluded(node)),
      keys,
    );
    const { required, allOf } = objectRules(nodes, this.#rules);
    const requiredMembers = [...keys, ...required.filter((name) => !keys.includes(name))];
    return {
      type: 'object',
      properties: Object.fromEntries(members.map((node) => [memberName(node), this.node(node)])),
      patternProperties: METADATA,
      additionalProperties: false,
      ...(requiredMembers.length > 0 && { required: requiredMembers }),
      ...(allOf.length > 0 && { allOf }),
    };
  }

  /**
   * Returns the schema of a container. An empty non-presence container in a case does not select the case (RFC 7950
   * 7.9), so its rules apply only if it has a member.
   */
  #container(node: SchemaNode): Schema {
    const { required, allOf, ...shape } = this.object(node.children);
    const rules = { ...(required !== undefined && { required }), ...(allOf !== undefined && { allOf }) };
    if (node.parent?.kind !== 'case' || !isNonPresenceContainer(node) || Object.keys(rules).length === 0)
      return { ...shape, ...rules };
    return { ...shape, if: { minProperties: 1 }, then: rules };
  }

  /**
   * Returns the schema of a document with a single node of the tree as its root, under the qualified name of
   * the node.
   */
  document(node: SchemaNode): Schema {
    const name = qualifiedName(node);
    const needed =
      node.kind === 'notification' ||
      (isInputOrOutput(node) && node.children.some((child) => this.#rules.isNeeded(child)));
    return {
      type: 'object',
      properties: { [name]: this.node(node) },
      patternProperties: METADATA,
      additionalProperties: false,
      ...(needed && { required: [name] }),
    };
  }

  /** Returns the schema of the value of a node. */
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
          ...countLimits(node),
          ...(node.config && { uniqueItems: true }),
        };
      case 'list':
        return { type: 'array', items: this.object(node.children, keysOf(node)), ...countLimits(node) };
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

/** Returns nodes in the order of a form: list keys first, then as in the module. */
export function inOrder(nodes: readonly SchemaNode[], keys: readonly string[]): readonly SchemaNode[] {
  if (keys.length === 0) return nodes;
  const first = keys.flatMap((key) => nodes.find(({ name, kind }) => name === key && kind === 'leaf') ?? []);
  return [...first, ...nodes.filter((node) => !first.includes(node))];
}

function isInputOrOutput({ kind }: SchemaNode): boolean {
  return kind === 'input' || kind === 'output';
}

function countLimits(node: SchemaNode): Schema {
  const min = minimumOf(node);
  const max = valueOf(node, 'max-elements') ?? 'unbounded';
  return { ...(min > 0 && { minItems: min }), ...(max !== 'unbounded' && { maxItems: Number(max) }) };
}
