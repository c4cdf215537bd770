/** A JSON value as RFC 7951 writes YANG data. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [member: string]: Json;
}

interface Named {
  readonly module: string;
  readonly name: string;
  /** False for state data, which clients can read only. */
  readonly config: boolean;
}

export interface Leaf extends Named {
  readonly kind: 'leaf';
  accepts(value: unknown): boolean;
  readonly mandatory: boolean;
  /** The leaf's default, reported when it was not set (RFC 6243 `report-all`). */
  readonly fallback?: Json;
}

export interface Container extends Named {
  readonly kind: 'container';
  readonly children: readonly SchemaNode[];
}

export interface List extends Named {
  readonly kind: 'list';
  /** Name of the single key leaf. */
  readonly key: string;
  readonly children: readonly SchemaNode[];
}

export type SchemaNode = Leaf | Container | List;

/**
 * Returns the member name of a child: with its module only if that differs from the parent's (RFC 7951
 * section 4).
 */
export function memberName(parent: { readonly module: string }, child: Named): string {
  return child.module === parent.module ? child.name : qualifiedName(child);
}

export function qualifiedName(node: Named): string {
  return `${node.module}:${node.name}`;
}

/** Returns the child for a member name, with or without its module. */
export function childNamed(parent: SchemaNode, member: string): SchemaNode | undefined {
  if (parent.kind === 'leaf') return undefined;
  const wanted = member.includes(':') ? member : `${parent.module}:${member}`;
  return parent.children.find((child) => qualifiedName(child) === wanted);
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type LeafExtras = Partial<Pick<Leaf, 'mandatory' | 'fallback' | 'config'>>;

/** Creates functions that build the schema nodes of one module. */
export function nodesOf(module: string) {
  return {
    leaf: (name: string, accepts: Leaf['accepts'], extras: LeafExtras = {}): Leaf => ({
      kind: 'leaf',
      module,
      name,
      accepts,
      config: true,
      mandatory: false,
      ...extras,
    }),
    container: (name: string, children: readonly SchemaNode[], config = true): Container => ({
      kind: 'container',
      module,
      name,
      children,
      config,
    }),
    list: (name: string, key: string, children: readonly SchemaNode[]): List => ({
      kind: 'list',
      module,
      name,
      key,
      children,
      config: true,
    }),
  };
}
