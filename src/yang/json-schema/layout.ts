import { keysOf, type SchemaNode } from '../tree/schema-node.js';
import { casesOf, contentOf, type MemberRules } from './choice-rules.js';
import { type TargetDocument, memberName, qualifiedName } from './data-path.js';
import type { Schema } from './definitions.js';
import { jsonTypeOf } from './form-unions.js';
import { inOrder } from './node-schema.js';

/**
 * Returns the UI schema of a document for JSON Forms: a control for each leaf and list, a group for each container and
 * choice. A rule hides the nodes of a case while another case has content.
 */
export function layoutOf(
  { nodes, start }: TargetDocument,
  isIncluded: (node: SchemaNode) => boolean,
): Schema {
  const writer = new LayoutWriter(isIncluded);
  const elements = start ? [writer.node(start, '#', qualifiedName(start))] : writer.elements(nodes, '#');
  return { type: 'VerticalLayout', elements };
}

class LayoutWriter {
  readonly #rules: MemberRules;

  constructor(isIncluded: (node: SchemaNode) => boolean) {
    this.#rules = { isIncluded, isNeeded: () => false, nameOf: memberName };
  }

  /** Returns the elements of nodes; `scope` is the scope of the object that contains them. */
  elements(nodes: readonly SchemaNode[], scope: string, keys: readonly string[] = []): readonly Schema[] {
    return inOrder(
      nodes.filter((node) => this.#rules.isIncluded(node)),
      keys,
    ).flatMap((node) => (node.kind === 'choice' ? this.#choice(node, scope) : [this.node(node, scope)]));
  }

  node(node: SchemaNode, parent: string, name = memberName(node)): Schema {
    const scope = `${parent}/properties/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    switch (node.kind) {
      case 'leaf':
      case 'anydata':
      case 'anyxml':
        return { type: 'Control', scope, label: node.name, ...textOption(node) };
      case 'leaf-list': {
        const options = textOption(node) && { detail: { type: 'Control', scope: '#', ...textOption(node) } };
        return { type: 'Control', scope, label: node.name, ...(options && { options }) };
      }
      case 'list': {
        const keys = keysOf(node);
        const elements = this.elements(node.children, '#', keys);
        const [key] = keys;
        return {
          type: 'Control',
          scope,
          label: node.name,
          options: {
            ...(key !== undefined && { elementLabelProp: key }),
            detail: { type: 'VerticalLayout', elements },
          },
        };
      }
      default:
        return { type: 'Group', label: node.name, elements: this.elements(node.children, scope) };
    }
  }

  #choice(choice: SchemaNode, scope: string): readonly Schema[] {
    const cases = casesOf(choice, this.#rules);
    if (cases.length === 0) return [];
    const elements = cases.map((one) => {
      const others = cases.flatMap((other) => (other === one ? [] : other.members));
      const inner = this.elements(one.branch.children, scope);
      const [only] = inner;
      // A case with one node is shown as the node itself.
      const element =
        inner.length === 1 && only ? only : { type: 'Group', label: one.branch.name, elements: inner };
      if (others.length === 0) return element;
      const condition = { scope, schema: contentOf(others, this.#rules), failWhenUndefined: true };
      return { ...element, rule: { effect: 'HIDE', condition } };
    });
    return [{ type: 'Group', label: choice.name, elements }];
  }
}

/**
 * Returns the option of a control whose schema has no type. Renderers with a control for `anyOf` do not read it; the others
 * have no field for such a schema but a text with lines.
 */
function textOption(node: SchemaNode): Schema | undefined {
  if (node.type && (node.type.base === 'empty' || jsonTypeOf(node.type, node) !== undefined))
    return undefined;
  return { options: { multi: true } };
}
