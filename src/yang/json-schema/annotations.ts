import type { Names } from '../modules/yang-module.js';
import { argumentOf } from '../syntax/statement.js';
import {
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
    const description = valueOf(node, 'description');
    const defaultValue = this.#defaultOf(node);
    return {
      title: node.name,
      ...(description !== undefined && { description: unwrapText(description) }),
      ...(defaultValue !== undefined && { default: defaultValue }),
      ...(!node.config && this.#content === 'all' && { readOnly: true }),
      ...(node.status !== 'current' && { deprecated: true }),
      'x-yang': this.#yang(node),
    };
  }

  #yang(node: SchemaNode): Schema {
    const reference = valueOf(node, 'reference');
    const extensions = node.properties.filter(({ keyword }) => keyword.includes(':'));
    return {
      kind: node.kind,
      module: node.module.name,
      ...(node.type && typeAnnotations(node, node.type)),
      ...(node.kind === 'list' && listAnnotations(node)),
      ...nodeAnnotations(node),
      ...this.#conditions(node),
      ...(node.status !== 'current' && { status: node.status }),
      ...(reference !== undefined && { reference: unwrapText(reference) }),
      ...(extensions.length > 0 && {
        ext: extensions.map(({ keyword, argument }) => ({ name: keyword, argument })),
      }),
    };
  }

  #conditions(node: SchemaNode): Schema {
    const when = node.whens.map(({ statement, fromParent }) => ({
      xpath: withModuleNames(statement, this.#names),
      ...(fromParent && { from: 'parent' }),
    }));
    const must = propertiesOf(node, 'must').map((statement) => {
      const message = argumentOf(statement, 'error-message');
      return { xpath: withModuleNames(statement, this.#names), ...(message !== undefined && { message }) };
    });
    return { ...(when.length > 0 && { when }), ...(must.length > 0 && { must }) };
  }

  #defaultOf(node: SchemaNode): unknown {
    const { type } = node;
    if (!type || valueOf(node, 'mandatory') === 'true') return undefined;
    const statements = propertiesOf(node, 'default');
    const defaults = statements.length > 0 ? statements : type.default ? [type.default] : [];
    const values = defaults.map((statement) => {
      const result = this.#values.read(node, type, statement);
      return 'json' in result ? result.json : undefined;
    });
    if (node.kind === 'leaf') return values[0];
    return values.length > 0 && minimumOf(node) === 0 ? values : undefined;
  }
}

function nodeAnnotations(node: SchemaNode): Schema {
  const units = valueOf(node, 'units') ?? node.type?.units;
  const presence = valueOf(node, 'presence');
  return {
    ...(units !== undefined && { units }),
    ...(valueOf(node, 'ordered-by') === 'user' && { 'ordered-by': 'user' }),
    ...(presence !== undefined && { presence }),
    ...(valueOf(node, 'mandatory') === 'true' && { mandatory: true }),
  };
}

function typeAnnotations(node: SchemaNode, type: YangType): Schema {
  const target = type.path && node.targets?.get(type);
  return {
    type: type.typedef?.argument ?? type.base,
    ...(target && {
      leafref: { path: dataPath(target), 'require-instance': type.requireInstance !== false },
    }),
  };
}

function listAnnotations(node: SchemaNode): Schema {
  const keys = keysOf(node);
  const uniques = uniquesOf(node).map((paths) => paths.map((path) => memberPathOf(path, node)));
  return { ...(keys.length > 0 && { keys }), ...(uniques.length > 0 && { unique: uniques }) };
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
  return text
    .trim()
    .split(/\n[ \t]*\n/)
    .map((paragraph) => paragraph.replaceAll(/\s*\n\s*/g, ' '))
    .join('\n\n');
}

/** Data nodes in a document: only configuration, or also state. */
export type Content = 'config' | 'all';
