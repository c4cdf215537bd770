import { objectOfEntries } from '../object-of-entries.js';
import { argumentOf } from '../syntax/statement.js';
import { dataChildren, keysOf, type SchemaNode, valueOf } from '../tree/schema-node.js';
import type { YangType } from '../types/yang-type.js';
import { type TargetDocument, memberName, qualifiedName } from './data-path.js';
import type { Schema } from './definitions.js';
import type { Dialect } from './dialect.js';
import { inOrder } from './node-schema.js';

/** Maximum number of enums that are shown as radio buttons. More enums are shown as a menu. */
const MAX_RADIO_OPTIONS = 4;

/** What the UI schema needs to know of the schema. */
interface UiSchemaOptions {
  /** Returns true if the document may contain the node. */
  isIncluded(node: SchemaNode): boolean;
  /**
   * Returns the `$ref` of the definition that is the schema of the node, whose UI schema is then written once; undefined
   * if it is written in place.
   */
  referenceOf(node: SchemaNode): string | undefined;
  readonly dialect: Dialect;
}

/**
 * Returns the UI schema of a document for react-jsonschema-form: order, widgets and enum descriptions. The dialect
 * `plain` adds the groups of choices for gatehouse's own forms. `ui:definitions` holds the UI schemas of definitions by
 * their `$ref`, as in react-jsonschema-form 6.
 */
export function uiSchemaOf({ nodes, start }: TargetDocument, options: UiSchemaOptions): Schema {
  const ui = new UiSchemaWriter(options);
  const root = start ? ui.document(start) : ui.object(nodes, []);
  return {
    ...root,
    ...(ui.definitions.size > 0 && { 'ui:definitions': objectOfEntries([...ui.definitions]) }),
  };
}

/** UI schema of the many nodes that need none. */
const NO_UI: Schema = {};

class UiSchemaWriter {
  readonly definitions = new Map<string, Schema>();
  readonly #isIncluded: (node: SchemaNode) => boolean;
  readonly #referenceOf: (node: SchemaNode) => string | undefined;
  readonly #dialect: Dialect;
  readonly #seen = new Set<string>();

  constructor(options: UiSchemaOptions) {
    this.#isIncluded = (node) => options.isIncluded(node);
    this.#referenceOf = (node) => options.referenceOf(node);
    this.#dialect = options.dialect;
  }

  /** Returns the UI schema of a document with a single node. */
  document(node: SchemaNode): Schema {
    const inner = this.node(node);
    const name = qualifiedName(node);
    return { 'ui:order': [name], ...(Object.keys(inner).length > 0 && { [name]: inner }) };
  }

  object(nodes: readonly SchemaNode[], keys: readonly string[]): Schema {
    const members = inOrder(dataChildren(nodes.filter(this.#isIncluded)).filter(this.#isIncluded), keys);
    const names = members.map(memberName);
    const inner = members.flatMap((node, at) => {
      const ui = this.node(node);
      return ui === NO_UI || Object.keys(ui).length === 0 ? [] : [[names[at] ?? '', ui] as const];
    });
    const choices = this.#dialect === 'plain' ? this.#choices(nodes) : [];
    return {
      ...(members.length > 0 && { 'ui:order': names }),
      ...(choices.length > 0 && { 'ui:choices': choices }),
      ...Object.fromEntries(inner),
    };
  }

  /** Returns the UI schema of a node; empty if it is among the definitions. */
  node(node: SchemaNode): Schema {
    const reference = this.#referenceOf(node);
    if (reference === undefined) return this.#inPlace(node);
    if (this.#seen.has(reference)) return NO_UI;
    this.#seen.add(reference);
    const ui = this.#inPlace(node);
    if (Object.keys(ui).length > 0) this.definitions.set(reference, ui);
    return NO_UI;
  }

  #inPlace(node: SchemaNode): Schema {
    switch (node.kind) {
      case 'leaf':
        return leafUi(node, this.#dialect);
      case 'leaf-list': {
        const items = leafUi(node, this.#dialect);
        return Object.keys(items).length > 0 ? { items } : NO_UI;
      }
      case 'list': {
        const keys = keysOf(node);
        return {
          ...(keys.length > 0 && { 'ui:options': { entryTitle: keys } }),
          items: this.object(node.children, keys),
        };
      }
      case 'anydata':
      case 'anyxml':
        return this.#dialect === 'plain' ? { 'ui:widget': 'json' } : {};
      default:
        return this.object(node.children, []);
    }
  }

  /** Returns the choices among nodes, with the members and the nested choices of each case. */
  #choices(nodes: readonly SchemaNode[]): readonly Schema[] {
    return nodes
      .filter((node) => node.kind === 'choice' && this.#isIncluded(node))
      .map((choice) => ({
        name: choice.name,
        ...(valueOf(choice, 'default') !== undefined && { default: valueOf(choice, 'default') }),
        ...(valueOf(choice, 'mandatory') === 'true' && { mandatory: true }),
        cases: choice.children.filter(this.#isIncluded).map((branch) => {
          const inner = this.#choices(branch.children);
          const members = dataChildren(branch.children).filter(this.#isIncluded).map(memberName);
          return { name: branch.name, members, ...(inner.length > 0 && { choices: inner }) };
        }),
      }));
  }
}

function leafUi(node: SchemaNode, dialect: Dialect): Schema {
  const { type } = node;
  if (!type) return NO_UI;
  switch (type.base) {
    case 'enumeration': {
      const values = (type.values ?? []).filter(({ enabled }) => enabled);
      const descriptions = values.map(({ statement }) => argumentOf(statement, 'description') ?? '');
      return {
        ...(values.length <= MAX_RADIO_OPTIONS && { 'ui:widget': 'radio' }),
        ...(descriptions.some((text) => text !== '') && { 'ui:enumDescriptions': descriptions }),
      };
    }
    case 'boolean':
      return { 'ui:widget': 'radio' };
    default:
      return dialect === 'rjsf' ? textUi(type) : NO_UI;
  }
}

/** Returns the UI schema of types that react-jsonschema-form has no widget for. */
function textUi({ base, values = [] }: YangType): Schema {
  switch (base) {
    case 'bits': {
      const names = values.filter(({ enabled }) => enabled).map(({ name }) => name);
      return { 'ui:help': `Any of these names, separated by spaces: ${names.join(', ')}` };
    }
    case 'binary':
      return { 'ui:widget': 'textarea', 'ui:help': 'Base64' };
    case 'empty':
      return { 'ui:enumNames': ['set'] };
    default:
      return {};
  }
}
