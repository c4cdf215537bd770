import { isJsonObject, type JsonObject, memberOf, ownMember } from '../json/json-object.js';
import { pointerTo, pointerTokens, valueAt } from '../json/pointer.js';
import { jsonText } from '../json/write-json.js';
import { type SchemaSubtree, type SchemaWithUi, uiPathOf, withoutMembers } from './schema-subtrees.js';

/** A subtree, and where the subtrees are that it uses. */
export interface IndexedSubtree extends SchemaSubtree {
  /** Length as JSON, in characters. */
  readonly length: number;
  /** Pointers of the objects directly below, in the order of the schema. */
  readonly below: readonly string[];
  /** Pointers of the definitions that the subtree refers to. */
  readonly references: readonly string[];
}

/**
 * Keywords with which a schema cannot be divided: references that do not name a definition, and keywords that depend on
 * which members other schemas describe.
 */
const INDIVISIBLE: ReadonlySet<string> = new Set([
  ...['$id', '$anchor', '$dynamicAnchor', '$dynamicRef', '$recursiveAnchor', '$recursiveRef'],
  ...['unevaluatedProperties', 'unevaluatedItems'],
]);

/** Keywords whose values are no schemas. */
const PLAIN: ReadonlySet<string> = new Set([
  ...['title', 'description', 'enum', 'const', 'default', 'examples', 'required', 'type', 'pattern'],
]);

const DEFINITION = /^#(\/(?:\$defs|definitions)\/[^/%]+)$/;

/** A JSON Schema that is divided into subtrees: one for each object with members, and one for each definition. */
export class SchemaIndex {
  readonly #schema: JsonObject;
  readonly #uiSchema: unknown;
  /** Definitions that a condition, a negation or an alternative uses: left out, they would change what is valid. */
  readonly #undivided = new Set<string>();
  #isDivisible = true;

  private constructor({ schema, uiSchema }: SchemaWithUi) {
    this.#schema = isJsonObject(schema) ? schema : {};
    this.#uiSchema = uiSchema;
    this.#visit(this.#schema, true);
    // A set also visits what is added to it meanwhile.
    for (const pointer of this.#undivided) this.#scan(valueAt(this.#schema, pointer));
  }

  /** Divides a schema. Returns undefined for a schema that only has a meaning as a whole. */
  static of(form: SchemaWithUi): SchemaIndex | undefined {
    if (!isMemberSchema(form.schema)) return undefined;
    const index = new SchemaIndex(form);
    return index.#isDivisible ? index : undefined;
  }

  /** Returns the schema at a pointer; undefined if the document has no schema there. */
  schemaAt(pointer: string): JsonObject | undefined {
    const schema = valueAt(this.#schema, pointer);
    return isJsonObject(schema) ? schema : undefined;
  }

  /** Returns true for the pointer of an object that may be left out. */
  isDivided(pointer: string): boolean {
    return isMemberSchema(valueAt(this.#schema, pointer)) && !this.#undivided.has(pointer);
  }

  /** Returns true for the pointer of a subtree that {@link subtree} returns and that a form may lack. */
  has(pointer: string): boolean {
    const tokens = pointerTokens(pointer);
    const start = isDefinition(pointer) ? 2 : 0;
    for (let at = start; at < tokens.length; at += tokens[at] === 'properties' ? 2 : 1)
      if (tokens[at] !== 'properties' && tokens[at] !== 'items') return false;
    const definition = tokens.slice(0, 2).reduce<string>(pointerTo, '');
    return this.isDivided(pointer) && !(start === 2 && this.#undivided.has(definition));
  }

  subtree(pointer: string): IndexedSubtree {
    const below: string[] = [];
    const references = new Set<string>();
    const found = this.schemaAt(pointer) ?? {};
    const schema = this.#undivided.has(pointer)
      ? found
      : this.#shallow(found, pointer, { below, references });
    if (this.#undivided.has(pointer)) addReferences(found, references);
    const uiSchema = this.#uiSchemaOf(pointer, below);
    const length = jsonText(schema).length + (uiSchema ? jsonText(uiSchema).length : 0);
    return {
      pointer,
      schema,
      length,
      below,
      ...(uiSchema && { uiSchema }),
      references: [...references],
    };
  }

  #shallow(schema: JsonObject, pointer: string, found: Found): JsonObject {
    const result: Record<string, unknown> = {};
    for (const [keyword, value] of Object.entries(schema)) {
      if (pointer === '' && isDefinitions(keyword)) continue;
      const at = pointerTo(pointer, keyword);
      if (keyword === 'properties' && isJsonObject(value))
        result[keyword] = Object.fromEntries(
          Object.entries(value).map(([name, member]) => [
            name,
            this.#inner(member, pointerTo(at, name), found),
          ]),
        );
      else if (keyword === 'items') result[keyword] = this.#inner(value, at, found);
      else {
        result[keyword] = value;
        if (keyword === '$ref') addReferences({ $ref: value }, found.references);
        else if (!isPlain(keyword, value)) addReferences(value, found.references);
      }
    }
    return result;
  }

  #inner(schema: unknown, pointer: string, found: Found): unknown {
    if (!isJsonObject(schema)) return schema;
    if (!isMemberSchema(schema)) return this.#shallow(schema, pointer, found);
    found.below.push(pointer);
    return withoutMembers(schema);
  }

  /** Returns the uiSchema of a subtree without those of the objects below. */
  #uiSchemaOf(pointer: string, below: readonly string[]): JsonObject | undefined {
    const path = uiPathOf(pointer);
    const uiSchema = path.reduce(ownMember, this.#uiSchema);
    if (!isJsonObject(uiSchema)) return undefined;
    const left: Paths = new Map();
    for (const inner of below) addPath(left, uiPathOf(inner).slice(path.length));
    if (pointer === '') left.set('ui:definitions', new Map());
    return left.size === 0 ? uiSchema : withoutPaths(uiSchema, left);
  }

  /** Finds schemas that cannot be divided, where a schema may be left out. */
  #visit(schema: unknown, isRoot = false): void {
    for (const [keyword, value] of entriesOf(schema))
      if (keyword === 'properties' || (isRoot && isDefinitions(keyword)))
        for (const [, inner] of entriesOf(value)) this.#visit(inner);
      else if (keyword === 'items' && isJsonObject(value)) this.#visit(value);
      else if (!isRoot || keyword !== '$id') this.#visitKeyword(keyword, value);
  }

  #visitKeyword(keyword: string, value: unknown): void {
    if (keyword === '$ref') this.#isDivisible &&= typeof value === 'string' && DEFINITION.test(value);
    else if (INDIVISIBLE.has(keyword) || isDefinitions(keyword)) this.#isDivisible = false;
    else if (!isPlain(keyword, value)) this.#scan(value);
  }

  /** Finds schemas that cannot be divided, where no schema may be left out. */
  #scan(value: unknown): void {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, inner] of Object.entries(value)) {
      if (INDIVISIBLE.has(name) || isDefinitions(name)) this.#isDivisible = false;
      if (name === '$ref') {
        const target = typeof inner === 'string' ? DEFINITION.exec(inner)?.[1] : undefined;
        if (target === undefined) this.#isDivisible = false;
        else this.#undivided.add(target);
      } else if (!isPlain(name, inner)) this.#scan(inner);
    }
  }
}

/** What the walk through a subtree finds. */
interface Found {
  readonly below: string[];
  readonly references: Set<string>;
}

/** Names of members to leave out; a name with an empty map is left out with all that it contains. */
type Paths = Map<string, Paths>;

function addPath(paths: Paths, [name, ...rest]: readonly string[]): void {
  if (name === undefined) return;
  const inner = paths.get(name) ?? new Map<string, Paths>();
  paths.set(name, inner);
  addPath(inner, rest);
}

function withoutPaths(value: JsonObject, paths: Paths): JsonObject {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      const left = paths.get(name);
      if (!left || !isJsonObject(inner)) return [[name, inner] as const];
      return left.size === 0 ? [] : [[name, withoutPaths(inner, left)] as const];
    }),
  );
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return isJsonObject(value) ? Object.entries(value) : [];
}

function isDefinitions(keyword: string): boolean {
  return keyword === '$defs' || keyword === 'definitions';
}

/** Returns true for the pointer of a definition, or of something in it. */
export function isDefinition(pointer: string): boolean {
  return isDefinitions(pointerTokens(pointer)[0] ?? '');
}

/** Returns true for the value of a keyword that contains no schemas. */
function isPlain(keyword: string, value: unknown): boolean {
  return (
    typeof value !== 'object' || keyword.startsWith('x-') || (PLAIN.has(keyword) && Array.isArray(value))
  );
}

function isMemberSchema(schema: unknown): schema is JsonObject {
  return isJsonObject(schema) && isJsonObject(memberOf(schema, 'properties'));
}

/** Adds the pointers of the definitions that a schema refers to. */
function addReferences(value: unknown, references: Set<string>): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    const target = name === '$ref' && typeof inner === 'string' ? DEFINITION.exec(inner)?.[1] : undefined;
    if (target !== undefined) references.add(target);
    else if (!isPlain(name, inner)) addReferences(inner, references);
  }
}
