import type { Names } from '../modules/yang-module.js';
import type { Statement } from '../syntax/statement.js';
import type { NodeDefinition } from '../tree/node-definition.js';

/**
 * Returns the name of a node's definition: the module that contains its statement, the grouping, and the nodes below
 * the grouping, such as `ietf-ip.address-group.address.ip`. The name is a valid name of an OpenAPI component, because
 * identifiers of YANG consist of letters, digits, `_`, `-` and `.`.
 */
export function definitionName(node: NodeDefinition, names: Names): string {
  const steps: string[] = [];
  let grouping: string | undefined;
  for (let at: Statement | undefined = node.statement; at.parent && grouping === undefined; at = at.parent) {
    if (at.keyword === 'grouping') grouping = at.argument;
    else if (NODE_KEYWORDS.has(at.keyword)) steps.unshift(at.argument);
  }
  const path = grouping === undefined ? [node.name] : [grouping, ...steps];
  return [names.unitOf(node.statement).module.name, ...path].join('.');
}

/** Keywords of statements that are members of data. */
const NODE_KEYWORDS = new Set(['container', 'list', 'leaf', 'leaf-list', 'anydata', 'anyxml']);
