import { memberName } from '../json-schema/data-path.js';
import { dataChildren, keysOf, type SchemaNode } from '../tree/schema-node.js';

/** Data resource or action of a RESTCONF server, with the template of its path. */
export interface Resource {
  readonly node: SchemaNode;
  /** Template below the root of the server, such as `/data/m:interfaces/interface={name}`. */
  readonly path: string;
  readonly parameters: readonly PathParameter[];
}

/** Key of a list entry in the path. */
export interface PathParameter {
  readonly name: string;
  readonly key: SchemaNode;
}

/** Limits of the resources. */
interface ResourceLimits {
  /** Maximum number of data nodes in a path. */
  readonly depth: number;
  /** Resources at and below these paths of data nodes, such as `/m:interfaces`; all if there are none. */
  readonly below: readonly string[];
}

/**
 * Returns the containers, list entries and actions below a root as resources (RFC 8040 3.5). Entries of a list without
 * keys, and their content, have no path.
 */
export function resourcesOf(root: SchemaNode, limits: ResourceLimits): readonly Resource[] {
  return visit(root.children, { path: '/data', dataPath: '', parameters: [] }, limits);
}

interface Location {
  readonly path: string;
  /** Path of the data node, without keys. */
  readonly dataPath: string;
  readonly parameters: readonly PathParameter[];
}

function visit(nodes: readonly SchemaNode[], at: Location, limits: ResourceLimits): readonly Resource[] {
  return dataChildren(nodes).flatMap((node) => {
    if (node.kind === 'action')
      return isWanted(at.dataPath, limits) ? [{ ...at, node, path: `${at.path}/${memberName(node)}` }] : [];
    if (node.kind !== 'container' && node.kind !== 'list') return [];
    const own = locationOf(node, at);
    if (!own || own.dataPath.split('/').length - 1 > limits.depth) return [];
    const resource = isWanted(own.dataPath, limits) ? [{ ...own, node }] : [];
    return mayContainWanted(own.dataPath, limits)
      ? [...resource, ...visit(node.children, own, limits)]
      : resource;
  });
}

function locationOf(node: SchemaNode, parent: Location): Location | undefined {
  const name = memberName(node);
  const keys = keysOf(node).flatMap((key) => node.children.find((child) => child.name === key) ?? []);
  if (node.kind === 'list' && keys.length === 0) return undefined;
  const parameters = [...parent.parameters];
  for (const key of keys) parameters.push({ name: freeName(key, parameters), key });
  const own = parameters.slice(parent.parameters.length).map((parameter) => `{${parameter.name}}`);
  return {
    path: `${parent.path}/${name}${own.length > 0 ? `=${own.join(',')}` : ''}`,
    dataPath: `${parent.dataPath}/${name}`,
    parameters,
  };
}

/** Returns the name of a key, with the name of its list if an outer list has a key of the same name. */
function freeName(key: SchemaNode, taken: readonly PathParameter[]): string {
  const isFree = (name: string) => !taken.some((parameter) => parameter.name === name);
  const qualified = `${key.parent?.name ?? ''}-${key.name}`;
  if (isFree(key.name)) return key.name;
  return isFree(qualified) ? qualified : `${qualified}-${taken.length + 1}`;
}

function isWanted(path: string, { below }: ResourceLimits): boolean {
  return below.length === 0 || below.some((start) => path === start || path.startsWith(`${start}/`));
}

function mayContainWanted(path: string, limits: ResourceLimits): boolean {
  return isWanted(path, limits) || limits.below.some((start) => start.startsWith(`${path}/`));
}
