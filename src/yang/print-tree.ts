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
  for (const [heading, kind] of parts) {
    const nodes = root.children.filter(kind);
    if (nodes.length > 0 && heading !== '') lines.push(heading);
    addBranches(nodes, heading === '' ? '  ' : '    ', lines);
  }
  for (const node of root.children.filter(({ kind }) => kind === 'structure')) {
    lines.push(`\n  structure ${node.name}:`);
    addBranches(node.children, '    ', lines);
  }
  return `${lines.join('\n')}\n`;
}

function addBranches(nodes: readonly SchemaNode[], indent: string, lines: string[]): void {
  nodes.forEach((node, at) => {
    lines.push(`${indent}${lineOf(node)}`);
    addBranches(node.children, `${indent}${at < nodes.length - 1 ? '|' : ' '}  `, lines);
  });
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
