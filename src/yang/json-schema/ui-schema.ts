import { argumentOf } from '../syntax/statement.js';
import { dataChildren, keysOf, type SchemaNode, valueOf } from '../tree/schema-node.js';
import { type Document, memberName, qualifiedName } from './data-path.js';
import { inOrder } from './node-schema.js';
import type { Schema } from './definitions.js';

/** Maximum number of enums for radio buttons. Longer lists use a menu. */
const RADIO_LIMIT = 4;

/** Returns what a form needs beyond the schema: order, widgets, enum descriptions and choice groups. */
export function uiSchemaOf({ nodes, start }: Document, included: (node: SchemaNode) => boolean): Schema {
  const ui = new UiSchema(included);
  if (!start) return ui.object(nodes, []);
  const inner = ui.node(start);
  const name = qualifiedName(start);
  return { 'ui:order': [name], ...(Object.keys(inner).length > 0 && { [name]: inner }) };
}

class UiSchema {
  readonly #included: (node: SchemaNode) => boolean;

  constructor(included: (node: SchemaNode) => boolean) {
    this.#included = included;
  }

  object(nodes: readonly SchemaNode[], keys: readonly string[]): Schema {
    const members = inOrder(dataChildren(nodes.filter(this.#included)).filter(this.#included), keys);
    const inner = members.flatMap((node) => {
      const ui = this.node(node);
      return Object.keys(ui).length > 0 ? [[memberName(node), ui] as const] : [];
    });
    const choices = this.#choices(nodes);
    return {
      ...(members.length > 0 && { 'ui:order': members.map(memberName) }),
      ...(choices.length > 0 && { 'ui:choices': choices }),
      ...Object.fromEntries(inner),
    };
  }

  node(node: SchemaNode): Schema {
    switch (node.kind) {
      case 'leaf':
        return leafUi(node);
      case 'leaf-list': {
        const items = leafUi(node);
        return Object.keys(items).length > 0 ? { items } : {};
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
        return { 'ui:widget': 'json' };
      default:
        return this.object(node.children, []);
    }
  }

  /** Returns choices with the members of each of their cases. A case also contains the choices inside it. */
  #choices(nodes: readonly SchemaNode[]): readonly Schema[] {
    return nodes
      .filter((node) => node.kind === 'choice' && this.#included(node))
      .map((choice) => ({
        name: choice.name,
        ...(valueOf(choice, 'default') !== undefined && { default: valueOf(choice, 'default') }),
        ...(valueOf(choice, 'mandatory') === 'true' && { mandatory: true }),
        cases: choice.children.filter(this.#included).map((one) => {
          const inner = this.#choices(one.children);
          const members = dataChildren(one.children).filter(this.#included).map(memberName);
          return { name: one.name, members, ...(inner.length > 0 && { choices: inner }) };
        }),
      }));
  }
}

function leafUi(node: SchemaNode): Schema {
  const { type } = node;
  if (!type) return {};
  switch (type.base) {
    case 'enumeration': {
      const values = (type.values ?? []).filter(({ enabled }) => enabled);
      const descriptions = values.map(({ statement }) => argumentOf(statement, 'description') ?? '');
      return {
        ...(values.length <= RADIO_LIMIT && { 'ui:widget': 'radio' }),
        ...(descriptions.some((text) => text !== '') && { 'ui:enumDescriptions': descriptions }),
      };
    }
    case 'bits':
      return { 'ui:widget': 'checkboxes' };
    case 'binary':
      return { 'ui:widget': 'file' };
    case 'empty':
      return { 'ui:widget': 'checkbox' };
    case 'boolean':
      return { 'ui:widget': 'radio' };
    default:
      return {};
  }
}
