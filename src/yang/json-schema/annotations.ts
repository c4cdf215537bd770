import type { Names } from '../modules/yang-module.js';
import { argumentOf } from '../syntax/statement.js';
import {
  extensionsOf,
  isOrderedByUser,
  isSchemaOnly,
  keysOf,
  minimumOf,
  propertiesOf,
  type SchemaNode,
  uniquesOf,
  valueOf,
} from '../tree/schema-node.js';
import { ValueCheck } from '../types/value-check.js';
import type { YangType } from '../types/yang-type.js';
import { withModuleNames } from '../xpath/tokens.js';
import { dataPath, memberName } from './data-path.js';
import type { Schema } from './definitions.js';

/** Writes the annotation keywords of a node, which do not constrain its data. */
export class Annotations {
  readonly #names: Names;
  readonly #content: Content;
  readonly #values: ValueCheck;

  constructor(names: Names, content: Content) {
    this.#names = names;
    this.#content = content;
    this.#values = new ValueCheck(names);
  }

  /**
   * Returns `title`, `description`, `default`, `readOnly`, `deprecated`, and all other annotations in
   * `x-yang`.
   */
  of(node: SchemaNode): Schema {
    const annotations: Annotated = { title: node.name };
    const description = valueOf(node, 'description');
    if (description !== undefined) annotations['description'] = unwrapText(description);
    const defaultValue = this.#defaultOf(node);
    if (defaultValue !== undefined) annotations['default'] = defaultValue;
    if (!node.config && this.#content === 'all') annotations['readOnly'] = true;
    if (node.status !== 'current') annotations['deprecated'] = true;
    annotations['x-yang'] = this.#yang(node);
    return annotations;
  }

  #yang(node: SchemaNode): Schema {
    const annotations: Annotated = { kind: node.kind, module: node.module.name };
    if (node.type) addTypeAnnotations(annotations, node, node.type);
    if (node.kind === 'list') addListAnnotations(annotations, node);
    addNodeAnnotations(annotations, node);
    this.#addConditions(annotations, node);
    if (node.status !== 'current') annotations['status'] = node.status;
    const reference = valueOf(node, 'reference');
    if (reference !== undefined) annotations['reference'] = unwrapText(reference);
    const extensions = extensionsOf(node);
    if (extensions.length > 0)
      annotations['ext'] = extensions.map(({ keyword, argument }) => ({ name: keyword, argument }));
    return annotations;
  }

  #addConditions(annotations: Annotated, node: SchemaNode): void {
    if (node.whens.length > 0)
      annotations['when'] = node.whens.map(({ statement, fromParent }) => ({
        xpath: withModuleNames(statement, this.#names),
        ...(fromParent && { from: 'parent' }),
      }));
    const musts = propertiesOf(node, 'must');
    if (musts.length > 0)
      annotations['must'] = musts.map((statement) => {
        const message = argumentOf(statement, 'error-message');
        return { xpath: withModuleNames(statement, this.#names), ...(message !== undefined && { message }) };
      });
  }

  #defaultOf(node: SchemaNode): unknown {
    const { type } = node;
    if (!type || valueOf(node, 'mandatory') === 'true') return undefined;
    const statements = propertiesOf(node, 'default');
    if (statements.length === 0 && !type.default) return undefined;
    const defaults = statements.length > 0 ? statements : type.default ? [type.default] : [];
    const values = defaults.map((statement) => {
      const result = this.#values.read(node, type, statement);
      return 'json' in result ? result.json : undefined;
    });
    if (node.kind === 'leaf') return values[0];
    return values.length > 0 && minimumOf(node) === 0 ? values : undefined;
  }
}

/** Annotations to which members are added. Copies of many small objects would take most of the time. */
type Annotated = Record<string, unknown>;

function addNodeAnnotations(annotations: Annotated, node: SchemaNode): void {
  const units = valueOf(node, 'units') ?? node.type?.units;
  if (units !== undefined) annotations['units'] = units;
  if (isOrderedByUser(node)) annotations['ordered-by'] = 'user';
  const presence = valueOf(node, 'presence');
  if (presence !== undefined) annotations['presence'] = presence;
  if (valueOf(node, 'mandatory') === 'true') annotations['mandatory'] = true;
}

function addTypeAnnotations(annotations: Annotated, node: SchemaNode, type: YangType): void {
  annotations['type'] = type.typedef?.argument ?? type.base;
  const target = type.path && node.targets?.get(type);
  if (target)
    annotations['leafref'] = {
      path: dataPath(target),
      'require-instance': type.requireInstance !== false,
    };
}

function addListAnnotations(annotations: Annotated, node: SchemaNode): void {
  const keys = keysOf(node);
  if (keys.length > 0) annotations['keys'] = keys;
  const uniques = uniquesOf(node).map((paths) => paths.map((path) => memberPathOf(path, node)));
  if (uniques.length > 0) annotations['unique'] = uniques;
}

/** Converts the schema path of a leaf in a list entry into member names, without choices and cases. */
function memberPathOf(path: string, list: SchemaNode): string {
  const memberNames: string[] = [];
  let children: readonly SchemaNode[] = list.children;
  for (const step of path.split('/')) {
    const node = children.find(({ name }) => name === step.replace(/^.*:/, ''));
    if (!node) continue;
    if (!isSchemaOnly(node)) memberNames.push(memberName(node));
    children = node.children;
  }
  return memberNames.join('/');
}

/** Returns a text in which the lines of each paragraph are joined. Blank lines separate paragraphs. */
export function unwrapText(text: string): string {
  const trimmed = text.trim();
  if (!trimmed.includes('\n')) return trimmed;
  return trimmed
    .split(/\n[ \t]*\n/)
    .map((paragraph) => paragraph.replaceAll(/\s*\n\s*/g, ' '))
    .join('\n\n');
}

/** Data nodes in a document: only configuration, or also state. */
export type Content = 'config' | 'all';
