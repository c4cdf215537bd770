import { isJsonObject, type JsonObject } from '../../json/json-object.js';
import { pointerTo, valueAt } from '../../json/pointer.js';
import { decodeUri } from '../../lib/decode-uri.js';
import { schemaProblem } from './task.js';

/** Maximum number of values in an inlined schema. Nested references multiply their targets. */
const MAX_VALUES = 100_000;

/** Maximum nesting of an inlined schema. */
const MAX_DEPTH = 100;

/**
 * Returns a schema in which each reference is replaced by its target, and each bound property has its binding
 * in `x-binding`. Throws `schema_invalid` for an external or recursive reference and for a binding without a
 * property. Throws `schema_too_costly` for a schema that grows too large.
 */
export function plainSchema(schema: unknown, bindings: unknown): unknown {
  const inliner: Inliner = { resolve: createResolver(schema), remainingValues: MAX_VALUES };
  const inlined = inlineReferences(inliner, schema, { pointer: '/jsonSchema', openReferences: [], depth: 0 });
  return bindings === undefined || bindings === null ? inlined : addBindings(inlined, bindings);
}

interface Inliner {
  readonly resolve: Resolve;
  /** Number of values that the inlined schema may still add. */
  remainingValues: number;
}

/** Current position in the schema. */
interface CopyPosition {
  readonly pointer: string;
  /** References that are being replaced, the outermost first. */
  readonly openReferences: readonly string[];
  readonly depth: number;
}

function inlineReferences(inliner: Inliner, value: unknown, position: CopyPosition): unknown {
  inliner.remainingValues -= 1;
  if (inliner.remainingValues < 0 || position.depth > MAX_DEPTH)
    throw schemaProblem('schema_too_costly', [
      { pointer: position.pointer, message: 'grows too large without its references' },
    ]);
  if (Array.isArray(value))
    return value.map((item, index) => inlineReferences(inliner, item, childPosition(position, index)));
  if (!isJsonObject(value)) return value;
  const { $ref } = value;
  const isReference = typeof $ref === 'string';
  const keptMembers = Object.entries(value).filter(
    ([name]) => !(isReference && name === '$ref') && !DEFINITION_KEYWORDS.has(name),
  );
  const members = keptMembers.map(([name, member]) => [
    name,
    inlineMember(inliner, { name, member }, position),
  ]);
  const siblings = Object.fromEntries(members) as Readonly<Record<string, unknown>>;
  return isReference ? inlineReference(inliner, { reference: $ref, siblings }, position) : siblings;
}

/** Keywords whose value is data. A `$ref` in the value is not a reference. */
const DATA_KEYWORDS = new Set(['const', 'default', 'enum', 'examples']);

/** Keywords whose value is a map of schemas. Its member names are not keywords. */
const SCHEMA_MAP_KEYWORDS = new Set(['properties', 'patternProperties', 'dependentSchemas', 'dependencies']);

/** Keywords that only contain targets of references. */
const DEFINITION_KEYWORDS = new Set(['$defs', 'definitions']);

function inlineMember(
  inliner: Inliner,
  { name, member }: { name: string; member: unknown },
  position: CopyPosition,
): unknown {
  if (DATA_KEYWORDS.has(name)) return member;
  const memberPosition = childPosition(position, name);
  if (!SCHEMA_MAP_KEYWORDS.has(name) || !isJsonObject(member))
    return inlineReferences(inliner, member, memberPosition);
  return Object.fromEntries(
    Object.entries(member).map(([key, schema]) => [
      key,
      inlineReferences(inliner, schema, childPosition(memberPosition, key)),
    ]),
  );
}

interface Reference {
  readonly reference: string;
  readonly siblings: Readonly<Record<string, unknown>>;
}

/**
 * Returns the target of a reference combined with the sibling keywords of the reference. The siblings are
 * merged into the target unless both have the same keyword; otherwise `allOf` combines them.
 */
function inlineReference(
  inliner: Inliner,
  { reference, siblings }: Reference,
  position: CopyPosition,
): unknown {
  const pointer = pointerTo(position.pointer, '$ref');
  if (position.openReferences.includes(reference))
    throw schemaProblem('schema_invalid', [
      { pointer, message: `refers to itself ("${reference}"): it has no plain form` },
    ]);
  const target = inliner.resolve(reference, pointer);
  const inlined = inlineReferences(inliner, target, {
    ...position,
    openReferences: [...position.openReferences, reference],
    depth: position.depth + 1,
  });
  const names = Object.keys(siblings);
  if (names.length === 0) return inlined;
  if (
    isJsonObject(inlined) &&
    !names.some((name) => Object.hasOwn(inlined, name) && !ANNOTATION_KEYWORDS.has(name))
  )
    return { ...inlined, ...siblings };
  return {
    ...siblings,
    allOf: [inlined, ...(Array.isArray(siblings['allOf']) ? (siblings['allOf'] as unknown[]) : [])],
  };
}

/** Annotation keywords next to a reference, which override those of the target. */
const ANNOTATION_KEYWORDS = new Set([
  'title',
  'description',
  'default',
  'examples',
  'readOnly',
  'writeOnly',
  '$comment',
]);

function childPosition(position: CopyPosition, name: string | number): CopyPosition {
  return { ...position, pointer: pointerTo(position.pointer, name), depth: position.depth + 1 };
}

function addBindings(inlined: unknown, bindings: unknown): unknown {
  const boundFields = isJsonObject(bindings) ? (bindings['properties'] ?? {}) : undefined;
  if (!isJsonObject(boundFields))
    throw schemaProblem('invalid_request', [
      { pointer: '/bindingSchema', message: 'must be an object with "properties"' },
    ]);
  const properties =
    isJsonObject(inlined) && isJsonObject(inlined['properties']) ? inlined['properties'] : {};
  const boundProperties = Object.entries(boundFields).map(([name, field]) => {
    const pointer = pointerTo('/bindingSchema/properties', name);
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!isJsonObject(property))
      throw schemaProblem('schema_invalid', [
        { pointer, message: 'is bound, and the schema has no such property' },
      ]);
    return [name, { ...property, 'x-binding': bindingOf(field, pointer) }] as const;
  });
  return boundProperties.length === 0
    ? inlined
    : { ...(inlined as object), properties: { ...properties, ...Object.fromEntries(boundProperties) } };
}

/** Binding of a field: the request that a page sends for the field's options. */
interface Binding {
  readonly method?: unknown;
  /** URI of the selected link, after the base URI. */
  readonly href?: string;
  readonly targetMediaType?: unknown;
  readonly variables?: unknown;
  /** Pointer into the field's schema to which the page writes the result, for example `/enum`. */
  readonly target?: unknown;
  /** Pointers into the response: the values and their labels. */
  readonly source?: unknown;
}

/** Parses one member of a `bindingSchema` (wire 4.1). Throws `invalid_request`. */
function bindingOf(field: unknown, pointer: string): Binding {
  if (!isJsonObject(field))
    throw schemaProblem('invalid_request', [{ pointer, message: 'must be an object' }]);
  const hyperSchema = isJsonObject(field['binding:hyperSchema']) ? field['binding:hyperSchema'] : {};
  const link = selectedLink(hyperSchema, field['binding:link']);
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

/** Returns the link with the relation of the binding, otherwise the first link. */
function selectedLink(hyperSchema: JsonObject, relation: unknown): JsonObject {
  const links = Array.isArray(hyperSchema['links']) ? hyperSchema['links'].filter(isJsonObject) : [];
  return links.find(({ rel }) => rel === relation) ?? links[0] ?? {};
}

/** Returns the target of a reference; `pointer` is the location of the reference. Throws `schema_invalid`. */
type Resolve = (reference: string, pointer: string) => unknown;

/**
 * Creates a resolver for references inside one schema: JSON pointers and anchors, with or without the URI of
 * the schema.
 */
function createResolver(schema: unknown): Resolve {
  const anchors = new Map<string, unknown>();
  for (const { name, value, pointer } of membersIn(schema)) {
    const anchor = anchorOf(name, value);
    if (anchor !== undefined)
      anchors.set(anchor, valueAt(schema, pointer.slice(0, pointer.lastIndexOf('/'))));
  }
  return (reference, pointer) => {
    const [uri, fragment] = splitReference(reference);
    const root = uri === '' || uri === ownUri(schema) ? schema : anchors.get(uri);
    const target =
      fragment === '' || fragment.startsWith('/')
        ? valueAt(root, decodeUri(fragment))
        : anchors.get(`#${fragment}`);
    if (target !== undefined) return target;
    const message = `refers to "${reference.slice(0, 200)}", which is not in the schema; nothing is fetched`;
    throw schemaProblem('schema_invalid', [{ pointer, message }]);
  };
}

function splitReference(reference: string): readonly [string, string] {
  const hash = reference.indexOf('#');
  return hash < 0 ? [reference, ''] : [reference.slice(0, hash), reference.slice(hash + 1)];
}

/** Returns the text of references to a schema: `$id` and `id` as written, `$anchor` after a `#`. */
function anchorOf(name: string, value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (name === '$anchor') return `#${value}`;
  return name === '$id' || name === 'id' ? value : undefined;
}

function ownUri(schema: unknown): unknown {
  const id = valueAt(schema, '/$id') ?? valueAt(schema, '/id');
  return typeof id === 'string' ? splitReference(id)[0] : undefined;
}

interface DocumentMember {
  readonly pointer: string;
  readonly name: string;
  readonly value: unknown;
}

/** Yields every member of every object of a document, outer members first. */
function* membersIn(value: unknown, pointer = ''): Generator<DocumentMember> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value) as [string, unknown][]) {
    const position = pointerTo(pointer, name);
    if (!Array.isArray(value)) yield { pointer: position, name, value: member };
    yield* membersIn(member, position);
  }
}
