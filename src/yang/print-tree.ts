import { dataPath } from './json-schema/data-path.js';
import { dataChildren, isMandatory, keysOf, type SchemaNode, valueOf } from './tree/schema-node.js';

/** Formats a module's tree as a diagram of RFC 8340. */
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
    branches(nodes, heading === '' ? '  ' : '    ', lines);
  }
  for (const node of root.children.filter(({ kind }) => kind === 'structure')) {
    lines.push(`\n  structure ${node.name}:`);
    branches(node.children, '    ', lines);
  }
  return `${lines.join('\n')}\n`;
}

function branches(nodes: readonly SchemaNode[], indent: string, lines: string[]): void {
  nodes.forEach((node, at) => {
    lines.push(`${indent}${lineOf(node)}`);
    branches(node.children, `${indent}${at < nodes.length - 1 ? '|' : ' '}  `, lines);
  });
}

const STATUS = { current: '+', deprecated: 'x', obsolete: 'o' } as const;

function lineOf(node: SchemaNode): string {
  const name = node.parent?.module === node.module ? node.name : `${node.module.name}:${node.name}`;
  const shown = node.kind === 'choice' ? `(${name})` : node.kind === 'case' ? `:(${name})` : name;
  const type = node.type ? `    ${node.type.typedef?.argument ?? node.type.base}` : '';
  const keys = keysOf(node);
  const mark = statusMark(node);
  const keyText = node.kind === 'list' && keys.length > 0 ? ` [${keys.join(' ')}]` : '';
  return `${STATUS[node.status]}--${accessOf(node)}${shown}${mark}${keyText}${type}`;
}

function accessOf(node: SchemaNode): string {
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

function statusMark(node: SchemaNode): string {
  if (node.kind === 'list' || node.kind === 'leaf-list') return '*';
  if (node.kind === 'container') return valueOf(node, 'presence') === undefined ? '' : '!';
  const optional = ['leaf', 'choice', 'anydata', 'anyxml'].includes(node.kind) && !isMandatory(node);
  const isKey = node.parent?.kind === 'list' && keysOf(node.parent).includes(node.name);
  return optional && !isKey ? '?' : '';
}

/** Formats one line for each data node: its path, its kind and its type. */
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
