import type { CompiledSchema, SchemaValidator } from '../../../../../src/core/schema-engine.js';
import { isJsonObject, type JsonObject, ownMember } from '../../../../../src/json/json-object.js';
import { pointerTo, valueAt } from '../../../../../src/json/pointer.js';
import { decodeUri } from '../../../../../src/lib/decode-uri.js';
import { type Json, jsonFrom, plainValue } from '../json/json.js';
import { compileSchema, isEngineReady } from './engine.js';
import { type SchemaPart, SearchIndex } from './search-index.js';

export type { SchemaPart } from './search-index.js';

const DOCUMENT_URI = 'form:schema';

/** The schema of a form: resolves references and runs the engine. All work is done on first use. */
export class SchemaDocument {
  readonly root: unknown;
  /** `ui:definitions` of the form's uiSchema. */
  readonly uiDefinitions: JsonObject | undefined;
  readonly #dialect: string | undefined;
  readonly #tests = new Map<unknown, SchemaValidator | undefined>();
  readonly #patterns = new Map<string, SchemaValidator | undefined>();
  #compiled: CompiledSchema | undefined;
  #names: ReadonlyMap<string, SchemaPart> | undefined;
  #index: SearchIndex | undefined;

  constructor(root: unknown, dialect?: string, uiSchema?: unknown) {
    this.root = root;
    const definitions = ownMember(uiSchema, 'ui:definitions');
    this.uiDefinitions = isJsonObject(definitions) ? definitions : undefined;
    this.#dialect = dialect;
  }

  /** The validator of the whole schema, or the schema's faults. The first access compiles the schema. */
  get compiled(): CompiledSchema {
    if (!isEngineReady()) return { faults: [] };
    return (this.#compiled ??= compileSchema(this.#plainRoot, this.#options));
  }

  /** The schemas of the document for searches. The first access visits all of them. */
  get index(): SearchIndex {
    return (this.#index ??= new SearchIndex(this));
  }

  /** Returns the schemas of the document that a schema refers to. */
  targetsOf(part: SchemaPart): readonly SchemaPart[] {
    if (!REFERENCES.some((keyword) => part.schema[keyword] !== undefined)) return [];
    return REFERENCES.flatMap((keyword) => {
      const reference = part.schema[keyword];
      return typeof reference === 'string' ? (this.resolve(reference, part) ?? []) : [];
    });
  }

  /** Returns the target schema of a `$ref`; undefined if it is not in the document. */
  resolve(reference: string, from: SchemaPart): SchemaPart | undefined {
    const [uri = '', fragment = ''] = reference.split('#', 2);
    const base = uri === '' ? from : this.#partNamed(uri);
    if (!base) return undefined;
    if (fragment !== '' && !fragment.startsWith('/')) return this.#partNamed(`#${fragment}`);
    const pointer = decodeUri(fragment);
    const schema = valueAt(base.resource, pointer);
    if (!isJsonObject(schema)) return undefined;
    const { resource, resourcePointer } = base;
    return { schema, pointer: resourcePointer + pointer, resource, resourcePointer };
  }

  /** Returns true if a value is valid for a schema of the document; undefined if the result is unknown. */
  test({ schema, pointer }: SchemaPart, value: Json): boolean | undefined {
    if (!isEngineReady()) return undefined;
    if (!this.#tests.has(schema)) this.#tests.set(schema, this.#validatorFor(schema, pointer));
    return isValid(this.#tests.get(schema), plainValue(value));
  }

  /** Returns true if a name matches a pattern, in linear time; false for an invalid pattern. */
  matches(pattern: string, name: string): boolean {
    if (!isEngineReady()) return false;
    if (!this.#patterns.has(pattern)) this.#patterns.set(pattern, validatorOf(compileSchema({ pattern })));
    return isValid(this.#patterns.get(pattern), name) ?? false;
  }

  /** The schema for the engine. */
  get #plainRoot(): unknown {
    return plainValue(jsonFrom(this.root));
  }

  get #options() {
    return this.#dialect === undefined ? {} : { dialect: this.#dialect };
  }

  #validatorFor(schema: JsonObject, pointer: string): SchemaValidator | undefined {
    const dialect = ownMember(this.root, '$schema') ?? this.#dialect;
    const options = typeof dialect === 'string' ? { dialect } : {};
    if (!hasReference(schema)) return validatorOf(compileSchema(plainValue(jsonFrom(schema)), options));
    const registry = { [DOCUMENT_URI]: this.#plainRoot };
    const $ref = `${DOCUMENT_URI}#${pointer.split('/').map(encodeURIComponent).join('/')}`;
    return validatorOf(compileSchema({ $ref }, { ...options, registry }));
  }

  #partNamed(name: string): SchemaPart | undefined {
    this.#names ??= namesIn(this.root);
    return this.#names.get(name);
  }
}

function validatorOf(compiled: CompiledSchema): SchemaValidator | undefined {
  return 'validator' in compiled ? compiled.validator : undefined;
}

/** Returns undefined if validation exceeds the limits, which are low because every visible row needs it. */
function isValid(validator: SchemaValidator | undefined, value: unknown): boolean | undefined {
  const outcome = validator?.validate(value, { fuel: 100_000, errors: 1 }).outcome;
  return outcome === undefined || outcome === 'out of fuel' ? undefined : outcome === 'valid';
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
  const visit = (value: unknown, base: SchemaPart) => {
    if (typeof value !== 'object' || value === null) return;
    const part = isJsonObject(value) ? partOf(value, base.pointer, base) : base;
    if (isJsonObject(value)) for (const name of namesOf(value)) if (!names.has(name)) names.set(name, part);
    for (const [name, inner] of Object.entries(value))
      visit(inner, { ...part, pointer: pointerTo(base.pointer, name) });
  };
  if (isJsonObject(root)) visit(root, { schema: root, pointer: '', resource: root, resourcePointer: '' });
  return names;
}

/** Returns a schema of a document as a part; a schema with an `$id` is a separate resource. */
function partOf(
  schema: JsonObject,
  pointer: string,
  { resource, resourcePointer }: Pick<SchemaPart, 'resource' | 'resourcePointer'>,
): SchemaPart {
  const id = schema['$id'];
  const isResource = typeof id === 'string' && !id.startsWith('#') && !id.startsWith('/');
  return isResource
    ? { schema, pointer, resource: schema, resourcePointer: pointer }
    : { schema, pointer, resource, resourcePointer };
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

export interface FieldSource {
  readonly document: SchemaDocument;
  readonly parts: readonly SchemaPart[];
  readonly ui: JsonObject;
  /** Name of the member; empty for the root and for items. */
  readonly key: string;
  /** Path with `*` for indexes. */
  readonly path: string;
  /** The schemas in the order in which their members are shown; `parts` by default. */
  readonly orderedParts?: readonly SchemaPart[];
  /** The lists of `oneOf` and `anyOf` that have been resolved already. */
  readonly resolvedUnions?: ReadonlySet<unknown>;
  /** True if conditions have been resolved already. */
  readonly hasResolvedConditions?: boolean;
  /** Values of the members that select among dependent schemas, by name. */
  readonly memberChoices?: ReadonlyMap<string, readonly Json[]>;
  /** The values of this member that select among dependent schemas. */
  readonly choices?: readonly Json[];
  /** Names among the alternatives of nested `oneOf` and `anyOf`, the outermost first. */
  readonly alternative?: readonly string[];
}

const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef'];

/** Keyword that marks a schema without a form field: `false`, or a reference without a target. */
export const UNSUPPORTED = 'form:unsupported';

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
  const add = (each: unknown, { pointer, ...base }: Omit<SchemaPart, 'schema'>): void => {
    if (each === false) parts.push({ schema: { [UNSUPPORTED]: true }, pointer, ...base });
    if (!isJsonObject(each) || seen.has(each)) return;
    seen.add(each);
    const part = partOf(each, pointer, base);
    parts.push(part);
    for (const keyword of REFERENCES) if (typeof each[keyword] === 'string') addTarget(each[keyword], part);
    const all = Array.isArray(each['allOf']) ? (each['allOf'] as readonly unknown[]) : [];
    all.forEach((member, index) => {
      add(member, { ...part, pointer: pointerTo(`${pointer}/allOf`, index) });
    });
  };
  const addTarget = (reference: string, from: SchemaPart): void => {
    const target = document.resolve(reference, from);
    if (target) add(target.schema, target);
    else parts.push({ ...from, schema: { [UNSUPPORTED]: true } });
  };
  add(schema, at);
  return parts;
}
