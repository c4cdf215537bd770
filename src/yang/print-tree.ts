import { dataPath } from './json-schema/data-path.js';
import { dataChildren, isMandatory, keysOf, type SchemaNode, valueOf } from './tree/schema-node.js';

/** Formats the schema tree of a module as a tree diagram (RFC 8340). */
export function printTree(root: SchemaNode): string {
  const parts: readonly (readonly [heading: string, kind: (node: SchemaNode) => boolean])[] = [
    ['', ({ kind }) => !['rpc', 'notification', 'structure'].includes(kind)],
    ['\n  rpcs:', ({ kind }) => kind === 'rpc'],
    ['\n  notifications:', ({ kind }) => kind === 'notification'],
  ];
  const lines = [`module: ${root.name}`];
  const branches = new Branches();
  for (const [heading, kind] of parts) {
    const nodes = root.children.filter(kind);
    if (nodes.length > 0 && heading !== '') lines.push(heading);
    branches.add(nodes, heading === '' ? '  ' : '    ', lines);
  }
  for (const node of root.children.filter(({ kind }) => kind === 'structure')) {
    lines.push(`\n  structure ${node.name}:`);
    branches.add(node.children, '    ', lines);
  }
  return `${lines.join('\n')}\n`;
}

/** Writes the lines of nodes and of the nodes below. Nodes with alike children share their lines. */
class Branches {
  /** Lines below a node, without indentation. */
  readonly #shared = new Map<SchemaNode, readonly string[]>();

  add(nodes: readonly SchemaNode[], indent: string, lines: string[]): void {
    for (const [at, node] of nodes.entries()) {
      lines.push(`${indent}${lineOf(node)}`);
      const inner = `${indent}${at < nodes.length - 1 ? '|' : ' '}  `;
      if (node.origin) for (const line of this.#below(node.origin)) lines.push(inner + line);
      else this.add(node.children, inner, lines);
    }
  }

  #below(origin: SchemaNode): readonly string[] {
    const known = this.#shared.get(origin);
    if (known) return known;
    const lines: string[] = [];
    this.add(origin.children, '', lines);
    this.#shared.set(origin, lines);
    return lines;
  }
}

const STATUS_SYMBOLS = { current: '+', deprecated: 'x', obsolete: 'o' } as const;

function lineOf(node: SchemaNode): string {
  const name = node.parent?.module === node.module ? node.name : `${node.module.name}:${node.name}`;
  const label = node.kind === 'choice' ? `(${name})` : node.kind === 'case' ? `:(${name})` : name;
  const type = node.type ? `    ${node.type.typedef?.argument ?? node.type.base}` : '';
  const keys = keysOf(node);
  const options = optionsOf(node);
  const keyText = node.kind === 'list' && keys.length > 0 ? ` [${keys.join(' ')}]` : '';
  return `${STATUS_SYMBOLS[node.status]}--${flagsOf(node)}${label}${options}${keyText}${type}`;
}

/** Returns the flags of a node (RFC 8340 section 2.6). */
function flagsOf(node: SchemaNode): string {
  switch (node.kind) {
    case 'case':
      return '';
    case 'rpc':
    case 'action':
      return '-x ';
    case 'notification':
      return '-n ';
    case 'input':
      return '-w ';
    default:
      return node.config ? 'rw ' : 'ro ';
  }
}

/** Returns the `<opts>` symbol of a node (RFC 8340 section 2.6). */
function optionsOf(node: SchemaNode): string {
  if (node.kind === 'list' || node.kind === 'leaf-list') return '*';
  if (node.kind === 'container') return valueOf(node, 'presence') === undefined ? '' : '!';
  const optional = ['leaf', 'choice', 'anydata', 'anyxml'].includes(node.kind) && !isMandatory(node);
  const isKey = node.parent?.kind === 'list' && keysOf(node.parent).includes(node.name);
  return optional && !isKey ? '?' : '';
}

/** Formats one line for each data node with its path, kind and type. */
export function printPaths(root: SchemaNode): string {
  const lines: string[] = [];
  const visit = (node: SchemaNode): void => {
    const type = node.type ? ` ${node.type.typedef?.argument ?? node.type.base}` : '';
    lines.push(`${dataPath(node)} ${node.kind}${type}${node.config ? '' : ' ro'}`);
    dataChildren(node.children).forEach(visit);
  };
  dataChildren(root.children).forEach(visit);
  return lines.map((line) => `${line}\n`).join('');
}
