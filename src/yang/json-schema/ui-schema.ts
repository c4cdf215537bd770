import { argumentOf } from '../syntax/statement.js';
import { dataChildren, keysOf, type SchemaNode, valueOf } from '../tree/schema-node.js';
import { type TargetDocument, memberName, qualifiedName } from './data-path.js';
import { inOrder } from './node-schema.js';
import type { Schema } from './definitions.js';

/** Maximum number of enums that are shown as radio buttons. More enums are shown as a menu. */
const MAX_RADIO_OPTIONS = 4;

/** Returns the UI schema of a document: order, widgets, enum descriptions and groups of choices. */
export function uiSchemaOf(
  { nodes, start }: TargetDocument,
  isIncluded: (node: SchemaNode) => boolean,
): Schema {
  const ui = new UiSchemaWriter(isIncluded);
  if (!start) return ui.object(nodes, []);
  const inner = ui.node(start);
  const name = qualifiedName(start);
  return { 'ui:order': [name], ...(Object.keys(inner).length > 0 && { [name]: inner }) };
}

class UiSchemaWriter {
  readonly #isIncluded: (node: SchemaNode) => boolean;

  constructor(isIncluded: (node: SchemaNode) => boolean) {
    this.#isIncluded = isIncluded;
  }

  object(nodes: readonly SchemaNode[], keys: readonly string[]): Schema {
    const members = inOrder(dataChildren(nodes.filter(this.#isIncluded)).filter(this.#isIncluded), keys);
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

function leafUi(node: SchemaNode): Schema {
  const { type } = node;
  if (!type) return {};
  switch (type.base) {
    case 'enumeration': {
      const values = (type.values ?? []).filter(({ enabled }) => enabled);
      const descriptions = values.map(({ statement }) => argumentOf(statement, 'description') ?? '');
      return {
        ...(values.length <= MAX_RADIO_OPTIONS && { 'ui:widget': 'radio' }),
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
