import type { Names } from '../modules/yang-module.js';
import { objectOfEntries } from '../object-of-entries.js';
import {
  dataChildren,
  isNonPresenceContainer,
  isInsideOperation,
  isNeeded,
  isOperation,
  hasDistinctValues,
  keysOf,
  minimumOf,
  type SchemaNode,
  valueOf,
} from '../tree/schema-node.js';
import { Annotations, type Content } from './annotations.js';
import { ChoiceBranches } from './choice-branches.js';
import { type MemberRules, objectRules, requireMembers } from './choice-rules.js';
import { memberName, qualifiedName } from './data-path.js';
import { type Definitions, type Schema, TYPE } from './definitions.js';
import { type Dialect, hiddenRules } from './dialect.js';
import type { SubtreeIds } from './subtree-ids.js';
import { TypeSchemas } from './type-schema.js';

/** Dependencies of {@link NodeSchemas}. */
interface NodeSchemasOptions {
  readonly names: Names;
  readonly subtrees: SubtreeIds;
  readonly content: Content;
  readonly definitions: Definitions;
  readonly dialect: Dialect;
}

/** Keywords that require members, or relate several of them. */
type Rules = Schema & { readonly required?: readonly string[] };

/** Members that begin with `@` are metadata annotations (RFC 7952), which every object may have. */
const METADATA = { '^@': {} };

/** Writes the JSON Schemas of schema nodes for RFC 7951 documents. */
export class NodeSchemas {
  readonly #content: Content;
  readonly #definitions: Definitions;
  readonly #annotations: Annotations;
  readonly #types: TypeSchemas;
  readonly #rules: MemberRules;
  readonly #dialect: Dialect;
  readonly #branches: ChoiceBranches;
  readonly #subtrees: SubtreeIds;
  /** Subtrees of containers, and whether their parents need them: a container does if a node at any depth below does. */
  readonly #needed = new Map<number, boolean>();
  /** Schemas of nodes by the number of their subtree. */
  readonly #written = new Map<number, Schema>();

  constructor({ names, subtrees, content, definitions, dialect }: NodeSchemasOptions) {
    this.#subtrees = subtrees;
    this.#dialect = dialect;
    this.#content = content;
    this.#definitions = definitions;
    this.#annotations = new Annotations(names, content);
    this.#types = new TypeSchemas({ names, definitions, dialect });
    const isIncluded = (node: SchemaNode): boolean => this.isIncluded(node);
    this.#rules = { isIncluded, isNeeded: (node) => this.#isNeeded(node), nameOf: memberName };
    this.#branches = new ChoiceBranches(this.#rules, (nodes) => this.#properties(this.#members(nodes)));
  }

  /** Returns true if the document may contain the node, according to the selected content. */
  isIncluded(node: SchemaNode): boolean {
    if (isOperation(node)) return false;
    return this.#content === 'all' || node.config || isInsideOperation(node);
  }

  /** Returns true if the parent needs an instance of the node. Remembers the answer for each container. */
  #isNeeded(node: SchemaNode): boolean {
    const { isIncluded } = this.#rules;
    if (node.kind !== 'container') return isNeeded(node, isIncluded);
    const subtree = this.#subtrees.idOf(node);
    let isNodeNeeded = this.#needed.get(subtree);
    if (isNodeNeeded === undefined) {
      isNodeNeeded = isNeeded(node, isIncluded, this.#rules.isNeeded);
      this.#needed.set(subtree, isNodeNeeded);
    }
    return isNodeNeeded;
  }

  /** Returns the schema of an object with the nodes as members, list keys first. */
  object(nodes: readonly SchemaNode[], keys: readonly string[] = []): Schema {
    const { shape, rules } = this.#object(nodes, keys, false);
    return { ...shape, ...rules };
  }

  /** Returns the keywords that describe the members of an object, and the keywords that require members. */
  #object(
    nodes: readonly SchemaNode[],
    keys: readonly string[],
    mayBeEmpty: boolean,
  ): { readonly shape: Schema; readonly rules: Rules } {
    const members = this.#members(nodes, keys);
    const { required, allOf } = objectRules(nodes, this.#rules);
    const names = [...keys, ...required.filter((name) => !keys.includes(name))];
    const requiredMembers = names.length > 0 ? { required: names } : {};
    if (this.#dialect === 'rjsf') {
      const { shown, keywords } = this.#branches.of(nodes, mayBeEmpty);
      return {
        shape: {
          type: 'object',
          properties: this.#properties(this.#members(shown, keys)),
          ...onlyMembers(members.map(memberName)),
          ...keywords,
        },
        rules: { ...requiredMembers, ...(mayBeEmpty && allOf.length > 0 && hiddenRules(allOf)) },
      };
    }
    return {
      shape: {
        type: 'object',
        properties: this.#properties(members),
        patternProperties: METADATA,
        additionalProperties: false,
      },
      rules: {
        ...requiredMembers,
        ...(allOf.length > 0 && (this.#dialect === 'plain' ? { allOf } : hiddenRules(allOf))),
      },
    };
  }

  /** Returns the data nodes among nodes and their choices, list keys first. */
  #members(nodes: readonly SchemaNode[], keys: readonly string[] = []): readonly SchemaNode[] {
    return inOrder(
      dataChildren(nodes.filter((node) => this.isIncluded(node))).filter((node) => this.isIncluded(node)),
      keys,
    );
  }

  #properties(members: readonly SchemaNode[]): Schema {
    return objectOfEntries(members.map((node) => [memberName(node), this.node(node)] as const));
  }

  /**
   * Returns the schema of a container. An empty non-presence container in a case does not select the case (RFC 7950
   * 7.9), so its rules apply only if it has a member.
   */
  #container(node: SchemaNode): Schema {
    const isConditional = node.parent?.kind === 'case' && isNonPresenceContainer(node);
    const { shape, rules } = this.#object(node.children, [], isConditional);
    if (!isConditional || Object.keys(rules).length === 0) return { ...shape, ...rules };
    const { required, ...others } = rules;
    const then = { ...(required && requireMembers(required.map((name) => [name, {}]))), ...others };
    return { ...shape, if: { minProperties: 1 }, then };
  }

  /**
   * Returns the schema of a document with a single node of the tree as its root, under the qualified name of
   * the node.
   */
  document(node: SchemaNode): Schema {
    const name = qualifiedName(node);
    const needed =
      node.kind === 'notification' ||
      node.kind === 'structure' ||
      (isInputOrOutput(node) && node.children.some((child) => this.#rules.isNeeded(child)));
    return {
      type: 'object',
      properties: { [name]: this.node(node) },
      ...(this.#dialect === 'rjsf'
        ? onlyMembers([name])
        : { patternProperties: METADATA, additionalProperties: false }),
      ...(needed && { required: [name] }),
    };
  }

  /** Returns the schema of the value of a node: the same object for nodes with the same schema. */
  node(node: SchemaNode): Schema {
    const subtree = this.#subtrees.idOf(node);
    const known = this.#written.get(subtree);
    if (known) return known;
    const schema = Object.assign(this.#annotations.of(node), this.#shape(node));
    const kept = this.#definitions.keep(schema, node.definition);
    this.#written.set(subtree, kept);
    return kept;
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
          ...(hasDistinctValues(node) && { uniqueItems: true }),
        };
      case 'list':
        return {
          type: 'array',
          items: this.object(node.children, keysOf(node)),
          ...countLimits(node),
          ...(keysOf(node).length > 0 && { uniqueItems: true }),
        };
      case 'anydata':
        return this.#dialect === 'rjsf' ? { type: 'object', additionalProperties: true } : { type: 'object' };
      case 'anyxml':
        return this.#dialect === 'plain' ? {} : { anyOf: JSON_VALUES };
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

/** All JSON values. Form libraries render a menu of the types. */
const JSON_VALUES = ['string', 'number', 'boolean', 'object', 'array', 'null'].map((type) => ({
  title: type,
  type,
  ...(type === 'object' && { additionalProperties: true }),
  ...(type === 'array' && { items: {} }),
}));

/**
 * Returns a rule that allows only these members and annotations. `additionalProperties` would refuse the members of
 * branches, and a form library offers to add members that `patternProperties` allows.
 */
function onlyMembers(names: readonly string[]): Schema {
  const annotation = { pattern: '^@' };
  return { propertyNames: names.length > 0 ? { anyOf: [{ enum: names }, annotation] } : annotation };
}

function isInputOrOutput({ kind }: SchemaNode): boolean {
  return kind === 'input' || kind === 'output';
}

function countLimits(node: SchemaNode): Schema {
  const min = minimumOf(node);
  const max = valueOf(node, 'max-elements') ?? 'unbounded';
  return { ...(min > 0 && { minItems: min }), ...(max !== 'unbounded' && { maxItems: Number(max) }) };
}
