import { isJsonObject, type JsonObject, ownMember } from '../../../../../src/core/json-object.js';
import { pointerTo, valueAt } from '../../../../../src/core/pointer.js';
import type { CompiledSchema, SchemaValidator } from '../../../../../src/core/schema-engine.js';
import { compileSchema } from '../../../../../src/json-schema/engine/index.js';
import { type Json, plainValue } from '../json/json.js';

/** A schema with its location, and the enclosing schema that has an `$id`, which `#` refers to. */
export interface SchemaPart {
  readonly schema: JsonObject;
  /** Pointer from the root of the document. */
  readonly place: string;
  readonly resource: JsonObject;
  readonly resourcePlace: string;
}

const DOCUMENT = 'form:schema';

/** A schema as a whole: resolves references and runs the engine. All work is done on first use. */
export class SchemaDocument {
  readonly root: unknown;
  readonly #dialect: string | undefined;
  readonly #tests = new Map<unknown, SchemaValidator | undefined>();
  readonly #patterns = new Map<string, SchemaValidator | undefined>();
  #compiled: CompiledSchema | undefined;
  #names: ReadonlyMap<string, SchemaPart> | undefined;

  constructor(root: unknown, dialect?: string) {
    this.root = root;
    this.#dialect = dialect;
  }

  /** The validator of the whole schema, or the schema's faults. The first access compiles the schema. */
  get compiled(): CompiledSchema {
    return (this.#compiled ??= compileSchema(this.root, this.#options));
  }

  /** Returns the target schema of a `$ref`; undefined if it is not in the document. */
  refer(reference: string, from: SchemaPart): SchemaPart | undefined {
    const [uri = '', fragment = ''] = reference.split('#', 2);
    const around = uri === '' ? from : this.#named(uri);
    if (!around) return undefined;
    if (fragment !== '' && !fragment.startsWith('/')) return this.#named(`#${fragment}`);
    const pointer = decoded(fragment);
    const schema = valueAt(around.resource, pointer);
    if (!isJsonObject(schema)) return undefined;
    const { resource, resourcePlace } = around;
    return { schema, place: resourcePlace + pointer, resource, resourcePlace };
  }

  /** True if a value is valid for a schema of the document; undefined if the result is unknown. */
  test({ schema, place }: SchemaPart, value: Json): boolean | undefined {
    if (!this.#tests.has(schema)) this.#tests.set(schema, this.#testOf(schema, place));
    return verdict(this.#tests.get(schema), plainValue(value));
  }

  /** True if a name matches a pattern, in linear time; false for an invalid pattern. */
  matches(pattern: string, name: string): boolean {
    if (!this.#patterns.has(pattern)) this.#patterns.set(pattern, validatorOf(compileSchema({ pattern })));
    return verdict(this.#patterns.get(pattern), name) ?? false;
  }

  get #options() {
    return this.#dialect === undefined ? {} : { dialect: this.#dialect };
  }

  #testOf(schema: JsonObject, place: string): SchemaValidator | undefined {
    const dialect = ownMember(this.root, '$schema') ?? this.#dialect;
    const options = typeof dialect === 'string' ? { dialect } : {};
    if (!hasReference(schema)) return validatorOf(compileSchema(schema, options));
    const registry = { [DOCUMENT]: this.root };
    const $ref = `${DOCUMENT}#${place.split('/').map(encodeURIComponent).join('/')}`;
    return validatorOf(compileSchema({ $ref }, { ...options, registry }));
  }

  #named(name: string): SchemaPart | undefined {
    this.#names ??= namesIn(this.root);
    return this.#names.get(name);
  }
}

function validatorOf(compiled: CompiledSchema): SchemaValidator | undefined {
  return 'validator' in compiled ? compiled.validator : undefined;
}

/** The limits are small because conditions are evaluated for every visible row. */
function verdict(validator: SchemaValidator | undefined, value: unknown): boolean | undefined {
  const outcome = validator?.validate(value, { fuel: 100_000, errors: 1 }).outcome;
  return outcome === undefined || outcome === 'out of fuel' ? undefined : outcome === 'valid';
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

function hasReference(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(
    ([name, inner]) => /^\$(?:ref|dynamicRef|recursiveRef)$/.test(name) || hasReference(inner),
  );
}

/** Returns every `$id` and anchor of a document. */
function namesIn(root: unknown): ReadonlyMap<string, SchemaPart> {
  const names = new Map<string, SchemaPart>();
  const visit = (value: unknown, around: SchemaPart) => {
    if (typeof value !== 'object' || value === null) return;
    const part = isJsonObject(value) ? partOf(value, around.place, around) : around;
    if (isJsonObject(value)) for (const name of namesOf(value)) if (!names.has(name)) names.set(name, part);
    for (const [name, inner] of Object.entries(value))
      visit(inner, { ...part, place: pointerTo(around.place, name) });
  };
  if (isJsonObject(root)) visit(root, { schema: root, place: '', resource: root, resourcePlace: '' });
  return names;
}

/** Returns a schema of a document as a part; a schema with an `$id` is a separate resource. */
export function partOf(
  schema: JsonObject,
  place: string,
  { resource, resourcePlace }: Pick<SchemaPart, 'resource' | 'resourcePlace'>,
): SchemaPart {
  const id = schema['$id'];
  const own = typeof id === 'string' && !id.startsWith('#') && !id.startsWith('/');
  return own
    ? { schema, place, resource: schema, resourcePlace: place }
    : { schema, place, resource, resourcePlace };
}

function namesOf(schema: JsonObject): readonly string[] {
  const anchors = ['$anchor', '$dynamicAnchor'].flatMap((key) =>
    typeof schema[key] === 'string' ? [`#${schema[key]}`] : [],
  );
  const ids = ['$id', 'id'].flatMap((key) =>
    typeof schema[key] === 'string' ? [schema[key].replace(/#$/, '')] : [],
  );
  return [...anchors, ...ids];
}

/** Source of a field. */
export interface FieldSource {
  readonly document: SchemaDocument;
  readonly parts: readonly SchemaPart[];
  readonly ui: JsonObject;
  /** Name of the member; empty for the root and for items. */
  readonly key: string;
  /** Path with `*` for indexes. */
  readonly path: string;
  /** Schemas whose `oneOf` and `anyOf` have been resolved already. */
  readonly decided?: ReadonlySet<JsonObject>;
  /** True if conditions have been resolved already. */
  readonly settled?: boolean;
  /** Name among the alternatives of a `oneOf` or `anyOf`. */
  readonly alternative?: string;
}

const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef'];

/** Name of the placeholder for a schema that cannot be shown: `false`, or a reference without a target. */
export const PUZZLE = 'form:puzzle';

/**
 * Returns the schemas that together describe a location: the schema itself, the schemas it refers to, and
 * those of `allOf`. Cycles are cut at the first repetition.
 */
export function flatten(
  document: SchemaDocument,
  schema: unknown,
  at: Omit<SchemaPart, 'schema'>,
): readonly SchemaPart[] {
  const parts: SchemaPart[] = [];
  const seen = new Set<unknown>();
  const add = (each: unknown, { place, ...around }: Omit<SchemaPart, 'schema'>): void => {
    if (each === false) parts.push({ schema: { [PUZZLE]: true }, place, ...around });
    if (!isJsonObject(each) || seen.has(each)) return;
    seen.add(each);
    const part = partOf(each, place, around);
    parts.push(part);
    for (const keyword of REFERENCES) if (typeof each[keyword] === 'string') follow(each[keyword], part);
    const all = Array.isArray(each['allOf']) ? (each['allOf'] as readonly unknown[]) : [];
    all.forEach((one, index) => {
      add(one, { ...part, place: pointerTo(`${place}/allOf`, index) });
    });
  };
  const follow = (reference: string, from: SchemaPart): void => {
    const target = document.refer(reference, from);
    if (target) add(target.schema, target);
    else parts.push({ ...from, schema: { [PUZZLE]: true } });
  };
  add(schema, at);
  return parts;
}
