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
import { withModuleNames } from '../xpath/check-xpath.js';
import { dataPath, memberName } from './data-path.js';
import type { Schema } from './definitions.js';

/** Writes the annotations of a node, as opposed to the shape of its data. */
export class Annotations {
  readonly #names: Names;
  readonly #content: Content;
  readonly #values: ValueCheck;

  constructor(names: Names, content: Content) {
    this.#names = names;
    this.#content = content;
    this.#values = new ValueCheck(names);
  }

  /** Returns title, description, default, read-only, deprecated, and everything else under `x-yang`. */
  of(node: SchemaNode): Schema {
    const description = valueOf(node, 'description');
    const fallback = this.#defaultOf(node);
    return {
      title: node.name,
      ...(description !== undefined && { description: unfolded(description) }),
      ...(fallback !== undefined && { default: fallback }),
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
      ...ownAnnotations(node),
      ...this.#conditions(node),
      ...(node.status !== 'current' && { status: node.status }),
      ...(reference !== undefined && { reference: unfolded(reference) }),
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
    const own = propertiesOf(node, 'default');
    const written = own.length > 0 ? own : type.default ? [type.default] : [];
    const values = written.map((one) => {
      const reading = this.#values.read(node, type, one);
      return 'json' in reading ? reading.json : undefined;
    });
    if (node.kind === 'leaf') return values[0];
    return values.length > 0 && minimumOf(node) === 0 ? values : undefined;
  }
}

function ownAnnotations(node: SchemaNode): Schema {
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
  const uniques = uniquesOf(node).map((paths) => paths.map((path) => membersOn(path, node)));
  return { ...(keys.length > 0 && { keys }), ...(uniques.length > 0 && { unique: uniques }) };
}

/** Converts a path to a leaf of a list into names of members, without choices and cases. */
function membersOn(path: string, list: SchemaNode): string {
  const members: string[] = [];
  let children: readonly SchemaNode[] = list.children;
  for (const step of path.split('/')) {
    const node = children.find(({ name }) => name === step.replace(/^.*:/, ''));
    if (!node) continue;
    if (!isSchemaOnly(node)) members.push(memberName(node));
    children = node.children;
  }
  return members.join('/');
}

/** Removes line breaks that only fit a printed page. Blank lines separate paragraphs. */
function unfolded(text: string): string {
  return text
    .trim()
    .split(/\n[ \t]*\n/)
    .map((paragraph) => paragraph.replaceAll(/\s*\n\s*/g, ' '))
    .join('\n\n');
}

/** Nodes that a document may contain: configuration only, or state as well. */
export type Content = 'config' | 'all';
