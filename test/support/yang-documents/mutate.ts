import { memberName } from '../../../src/yang/json-schema/data-path.js';
import { dataChildren, keysOf, type SchemaNode } from '../../../src/yang/tree/schema-node.js';
import type { Random } from '../random.js';
import type { Generated, Json, GeneratedNode } from './generate.js';

/** Corrupts a document in one way; returns false if it does not apply to the place. */
type Mutation = (spot: GeneratedNode, tools: Tools) => boolean;

/** Dependencies of the mutations. */
export interface Tools {
  readonly random: Random;
  /** A valid value of a node. */
  readonly make: (node: SchemaNode) => unknown;
}

const MUTATIONS: Readonly<Record<string, Mutation>> = {
  'wrong JSON type': (spot, { random }) =>
    put(spot, random.pick(['text', 7, true, null, { x: 1 }, [1], [null]])),
  'number as text': ({ holder, name }) => {
    const value = holder[name];
    if (typeof value === 'number') return put({ holder, name }, String(value));
    return typeof value === 'string' && /^-?\d+$/.test(value) ? put({ holder, name }, Number(value)) : false;
  },
  'out of range': (spot, { random }) =>
    isLeaf(spot) &&
    put(
      spot,
      random.pick([-1, 0, 256, 70000, 4294967296, -129, '-1', '18446744073709551616', '99999999.99']),
    ),
  'broken text': (spot, { random }) => {
    const value = spot.holder[spot.name];
    return (
      typeof value === 'string' &&
      put(spot, random.pick([`${value}£`, '', `${value}${value}`, value.slice(1), `x${value}`, 'A b']))
    );
  },
  'unknown member': ({ holder, name }) => {
    const inner = holder[name];
    const target = isObject(inner) ? inner : holder;
    target['no-such-node'] = 1;
    return true;
  },
  'wrong module': ({ holder, name }) => {
    holder[`no-such-module:${name.replace(/^.*:/, '')}`] = holder[name];
    Reflect.deleteProperty(holder, name);
    return true;
  },
  'bare where qualified is needed': ({ holder, name }) => {
    if (!name.includes(':')) return false;
    holder[name.replace(/^.*:/, '')] = holder[name];
    Reflect.deleteProperty(holder, name);
    return true;
  },
  'left out': ({ holder, name }) => Reflect.deleteProperty(holder, name),
  'key left out': ({ node, holder, name }, { random }) => {
    const entry: unknown = Array.isArray(holder[name]) ? (holder[name] as unknown[])[0] : undefined;
    const key = random.pick(node.kind === 'list' ? keysOf(node) : []);
    return key !== undefined && isObject(entry) && Reflect.deleteProperty(entry, key);
  },
  'entry twice': ({ holder, name }) => {
    const value = holder[name];
    if (!Array.isArray(value) || value.length === 0) return false;
    holder[name] = [...(value as unknown[]), structuredClone<unknown>(value[0])];
    return true;
  },
  'too many entries': ({ holder, name }) => {
    const value = holder[name];
    if (!Array.isArray(value) || value.length === 0) return false;
    holder[name] = Array.from({ length: 20 }, () => structuredClone<unknown>(value[0]));
    return true;
  },
  'no entries': ({ node, ...spot }) => (node.kind === 'list' || node.kind === 'leaf-list') && put(spot, []),
  'two cases': ({ node, holder }, { random, make }) => {
    const one = caseOf(node);
    const other = random.pick((one?.parent?.children ?? []).filter((child) => child !== one));
    const added = random.pick(dataChildren(other?.children ?? []));
    const value = added && make(added);
    return value !== undefined && put({ holder, name: memberName(added ?? node) }, value);
  },
  'one instead of a list': ({ holder, name }) => {
    const value = holder[name];
    return Array.isArray(value) && put({ holder, name }, (value as unknown[])[0]);
  },
};

/** Returns a copy of a document with a change that may break one rule, and the name of the change. */
export function mutate(
  generated: Generated,
  tools: Tools,
): { readonly document: Json; readonly what: string } | undefined {
  const { random } = tools;
  for (let tries = 0; tries < 10; tries += 1) {
    const spot = random.pick(generated.spots);
    const [what, mutation] = random.pick(Object.entries(MUTATIONS)) ?? [];
    if (!spot || !mutation || what === undefined) return undefined;
    // Cloned together, so that the copied holder is part of the copied document.
    const { document, holder } = structuredClone({ document: generated.document, holder: spot.holder });
    if (mutation({ ...spot, holder }, tools)) return { document, what };
  }
  return undefined;
}

/** Returns the nearest case around a node if no data node is between them. */
function caseOf(node: SchemaNode): SchemaNode | undefined {
  return node.parent?.kind === 'case' ? node.parent : undefined;
}

function put({ holder, name }: Omit<GeneratedNode, 'node'>, value: unknown): boolean {
  holder[name] = value;
  return true;
}

function isLeaf({ node }: GeneratedNode): boolean {
  return node.kind === 'leaf';
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
