import { pointerTo, valueAt } from '../../core/pointer.js';
import { isJsonObject, type JsonObject } from '../../core/json-object.js';
import { schemaProblem } from './schema-problem.js';

/** Maximum number of values in a plain schema. References to references multiply. */
const MOST_VALUES = 100_000;

/** Maximum nesting of a plain schema. */
const DEPTH = 100;

/**
 * Returns a schema with each reference replaced by its target. Each bound property has its binding in
 * `x-binding`.
 * Throws `schema_invalid` for an external or recursive reference and for a binding without a property. Throws
 * `schema_too_costly` for a schema that grows too large.
 */
export function plainSchema(schema: unknown, bindings: unknown): unknown {
  const copier: Copier = { resolve: createResolver(schema), left: MOST_VALUES };
  const plain = copy(copier, schema, { pointer: '/jsonSchema', within: [], depth: 0 });
  return bindings === undefined ? plain : bound(plain, bindings);
}

interface Copier {
  readonly resolve: Resolve;
  /** Number of values that may still be added. */
  left: number;
}

/** Position of the copy. */
interface At {
  readonly pointer: string;
  /** References that are being replaced, the outermost first. */
  readonly within: readonly string[];
  readonly depth: number;
}

function copy(copier: Copier, value: unknown, at: At): unknown {
  copier.left -= 1;
  if (copier.left < 0 || at.depth > DEPTH)
    throw schemaProblem('schema_too_costly', [
      { pointer: at.pointer, message: 'grows too large without its references' },
    ]);
  if (Array.isArray(value)) return value.map((item, index) => copy(copier, item, below(at, index)));
  if (!isJsonObject(value)) return value;
  const { $ref } = value;
  const refers = typeof $ref === 'string';
  const own = Object.entries(value).filter(
    ([name]) => !(refers && name === '$ref') && !DEFINITIONS.has(name),
  );
  const members = own.map(([name, member]) => [name, copyMember(copier, { name, member }, at)]);
  const siblings = Object.fromEntries(members) as Readonly<Record<string, unknown>>;
  return refers ? replaced(copier, { reference: $ref, siblings }, at) : siblings;
}

/** Keywords whose value is not a schema. References in it are data. */
const DATA = new Set(['const', 'default', 'enum', 'examples']);

/** Keywords whose value contains schemas by arbitrary names, which are not keywords. */
const NAMED_SCHEMAS = new Set(['properties', 'patternProperties', 'dependentSchemas', 'dependencies']);

/** Keywords that only references need. */
const DEFINITIONS = new Set(['$defs', 'definitions']);

function copyMember(copier: Copier, { name, member }: { name: string; member: unknown }, at: At): unknown {
  if (DATA.has(name)) return member;
  const here = below(at, name);
  if (!NAMED_SCHEMAS.has(name) || !isJsonObject(member)) return copy(copier, member, here);
  return Object.fromEntries(
    Object.entries(member).map(([key, schema]) => [key, copy(copier, schema, below(here, key))]),
  );
}

interface Reference {
  readonly reference: string;
  readonly siblings: Readonly<Record<string, unknown>>;
}

/**
 * Returns the target of a reference combined with the keywords next to the reference. The keywords are merged
 * into the target unless they conflict with it; otherwise, `allOf` combines both.
 */
function replaced(copier: Copier, { reference, siblings }: Reference, at: At): unknown {
  const pointer = pointerTo(at.pointer, '$ref');
  if (at.within.includes(reference))
    throw schemaProblem('schema_invalid', [
      { pointer, message: `refers to itself ("${reference}"): it has no plain form` },
    ]);
  const target = copier.resolve(reference, pointer);
  const plain = copy(copier, target, { ...at, within: [...at.within, reference], depth: at.depth + 1 });
  const names = Object.keys(siblings);
  if (names.length === 0) return plain;
  if (isJsonObject(plain) && !names.some((name) => Object.hasOwn(plain, name) && !LABELS.has(name)))
    return { ...plain, ...siblings };
  return {
    ...siblings,
    allOf: [plain, ...(Array.isArray(siblings['allOf']) ? (siblings['allOf'] as unknown[]) : [])],
  };
}

/** Keywords next to a reference that override those of its target. */
const LABELS = new Set(['title', 'description', 'default', 'examples', 'readOnly', 'writeOnly', '$comment']);

function below(at: At, name: string | number): At {
  return { ...at, pointer: pointerTo(at.pointer, name), depth: at.depth + 1 };
}

function bound(plain: unknown, bindings: unknown): unknown {
  const fields = isJsonObject(bindings) ? (bindings['properties'] ?? {}) : undefined;
  if (!isJsonObject(fields))
    throw schemaProblem('invalid_request', [
      { pointer: '/bindingSchema', message: 'must be an object with "properties"' },
    ]);
  const properties = isJsonObject(plain) && isJsonObject(plain['properties']) ? plain['properties'] : {};
  const next = Object.entries(fields).map(([name, field]) => {
    const pointer = pointerTo('/bindingSchema/properties', name);
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!isJsonObject(property))
      throw schemaProblem('schema_invalid', [
        { pointer, message: 'is bound, and the schema has no such property' },
      ]);
    return [name, { ...property, 'x-binding': bindingOf(field, pointer) }] as const;
  });
  return next.length === 0
    ? plain
    : { ...(plain as object), properties: { ...properties, ...Object.fromEntries(next) } };
}

/** Source of a field's options, in the terms of a page that requests them. */
interface Binding {
  readonly method?: unknown;
  /** Address of the chosen link, after the base address. */
  readonly href?: string;
  readonly targetMediaType?: unknown;
  readonly variables?: unknown;
  /** Pointer into the field's schema where the result is inserted, for example `/enum`. */
  readonly target?: unknown;
  /** Pointers into the response: the values and their labels. */
  readonly source?: unknown;
}

/** Parses one member of a `bindingSchema` (wire 4.1). Throws `invalid_request`. */
export function bindingOf(field: unknown, pointer: string): Binding {
  if (!isJsonObject(field))
    throw schemaProblem('invalid_request', [{ pointer, message: 'must be an object' }]);
  const hyperSchema = isJsonObject(field['binding:hyperSchema']) ? field['binding:hyperSchema'] : {};
  const link = chosenLink(hyperSchema, field['binding:link']);
  const base = typeof hyperSchema['base'] === 'string' ? hyperSchema['base'] : '';
  const parts = {
    method: field['binding:method'],
    href: typeof link['href'] === 'string' ? base + link['href'] : undefined,
    targetMediaType: link['targetMediaType'],
    variables: link['variables'],
    target: field['binding:target'],
    source: field['binding:source'],
  };
  return Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined));
}

/** Returns the link with the relation that the binding names, otherwise the first link. */
function chosenLink(hyperSchema: JsonObject, relation: unknown): JsonObject {
  const links = Array.isArray(hyperSchema['links']) ? hyperSchema['links'].filter(isJsonObject) : [];
  return links.find(({ rel }) => rel === relation) ?? links[0] ?? {};
}

/** Returns the target of a reference; `pointer` is the place of the reference. Throws `schema_invalid`. */
export type Resolve = (reference: string, pointer: string) => unknown;

/**
 * Creates a resolver for references inside one schema: JSON pointers, anchors, and both after the schema's
 * own URI.
 */
function createResolver(schema: unknown): Resolve {
  const anchors = new Map<string, unknown>();
  for (const { name, value, pointer } of placesIn(schema)) {
    const anchor = anchorOf(name, value);
    if (anchor !== undefined)
      anchors.set(anchor, valueAt(schema, pointer.slice(0, pointer.lastIndexOf('/'))));
  }
  return (reference, pointer) => {
    const [uri, fragment] = split(reference);
    const root = uri === '' || uri === ownUri(schema) ? schema : anchors.get(uri);
    const target = fragment === '' || fragment.startsWith('/') ? valueAt(root, decode(fragment)) : anchors.get(`#${fragment}`); // prettier-ignore
    if (target !== undefined) return target;
    const message = `refers to "${reference.slice(0, 200)}", which is not in the schema; nothing is fetched`;
    throw schemaProblem('schema_invalid', [{ pointer, message }]);
  };
}

function split(reference: string): readonly [string, string] {
  const hash = reference.indexOf('#');
  return hash < 0 ? [reference, ''] : [reference.slice(0, hash), reference.slice(hash + 1)];
}

/** Returns a name that references may use: `$id` and `id` as written, `$anchor` after a `#`. */
function anchorOf(name: string, value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (name === '$anchor') return `#${value}`;
  return name === '$id' || name === 'id' ? value : undefined;
}

function ownUri(schema: unknown): unknown {
  const id = valueAt(schema, '/$id') ?? valueAt(schema, '/id');
  return typeof id === 'string' ? split(id)[0] : undefined;
}

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

/** Member of an object somewhere in a document. */
export interface SchemaLocation {
  readonly pointer: string;
  readonly name: string;
  readonly value: unknown;
}

/** Yields every member of every object of a document, outer members first. */
export function* placesIn(value: unknown, pointer = ''): Generator<SchemaLocation> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value) as [string, unknown][]) {
    const at = pointerTo(pointer, name);
    if (!Array.isArray(value)) yield { pointer: at, name, value: member };
    yield* placesIn(member, at);
  }
}

/**
 * Returns the pointer of the first member with a name (and a value, if given); `undefined` if it does not
 * exist.
 */
export function placeOf(document: unknown, name: string, value?: unknown): string | undefined {
  for (const place of placesIn(document))
    if (place.name === name && (value === undefined || place.value === value)) return place.pointer;
  return undefined;
}
