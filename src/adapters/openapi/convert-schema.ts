import type { JsonSchema } from '../../core/schema.js';
import { compilePattern, UnsupportedPattern } from '../../json-schema/engine/ecma-pattern.js';
import { isJsonObject, type JsonObject, objectOf } from '../../json/json-object.js';
import { jsonText } from '../../json/write-json.js';
import type { Place } from './document-task.js';
import type { FaultList } from './fault-list.js';
import { hiddenMembersOf, omitMembers } from './hidden-members.js';
import { below, type SourceFiles } from './read-document.js';
import { PLAIN_KEYWORDS, SCHEMA_KEYWORDS } from './schema-keywords.js';

/** Whether a schema describes what is sent or what is received: members that are only read are not sent. */
type Direction = 'request' | 'reply';

/** A converted schema, and the names of the definitions that it refers to. */
export interface ConvertedSchema {
  readonly schema: JsonSchema;
  readonly uses: readonly string[];
}

interface PendingDefinition {
  readonly name: string;
  readonly value: unknown;
  readonly at: Place;
}

/**
 * Converts schemas of OpenAPI 3.0 and 3.1 and of Swagger 2.0 to JSON Schema 2020-12. A reference becomes one to
 * `#/$defs/<name>`. Keywords that no validator can use are left out, with a warning.
 */
export class SchemaConverter {
  readonly #direction: Direction;
  readonly #source: SourceFiles;
  readonly #faults: FaultList;
  readonly #names = new Map<string, string>();
  readonly #taken = new Set<string>();
  readonly #pending: PendingDefinition[] = [];
  #uses = new Set<string>();

  constructor(direction: Direction, source: SourceFiles, faults: FaultList) {
    this.#direction = direction;
    this.#source = source;
    this.#faults = faults;
  }

  /** Converts a schema. The definitions that it refers to are pending until {@link takeDefinitions}. */
  convert(value: unknown, at: Place): ConvertedSchema {
    this.#uses = new Set();
    const schema = this.#convert(value, at);
    return {
      schema: typeof schema === 'boolean' ? (schema ? {} : { not: {} }) : schema,
      uses: [...this.#uses],
    };
  }

  /** Converts all definitions that the schemas so far refer to, and those that these refer to. */
  *takeDefinitions(): Generator<ConvertedSchema & { readonly name: string }> {
    for (let next = this.#pending.pop(); next; next = this.#pending.pop())
      yield { name: next.name, ...this.convert(next.value, next.at) };
  }

  #convert(value: unknown, at: Place): JsonSchema | boolean {
    if (typeof value === 'boolean') return value;
    if (!isJsonObject(value)) {
      this.#warn(at, 'is no schema');
      return {};
    }
    const { $ref: reference, ...siblings } = value;
    if (typeof reference !== 'string') return this.#convertMembers(value, at);
    const target = this.#source.follow(reference, at);
    if (!target) return {};
    const ref = { $ref: `#/$defs/${this.#define(target.at, target.value)}` };
    const others = this.#convertMembers(siblings, at);
    return Object.keys(others).length === 0 ? ref : withNull({ ...others, ...ref }, siblings);
  }

  /** Returns the name of a definition, which is pending when it is new. */
  #define(at: Place, value: unknown): string {
    const key = `${at.file}#${at.pointer}`;
    const known = this.#names.get(key);
    if (known !== undefined) {
      this.#uses.add(known);
      return known;
    }
    const last = at.pointer === '' ? (at.file.split('/').at(-1) ?? '') : (at.pointer.split('/').at(-1) ?? '');
    const name = uniqueName(last.replace(/~[01]/g, '_').replace(/[^\w.-]/g, '_') || 'schema', this.#taken);
    this.#names.set(key, name);
    this.#pending.push({ name, value, at });
    this.#uses.add(name);
    return name;
  }

  #convertMembers(schema: JsonObject, at: Place): JsonSchema {
    const converted: Record<string, unknown> = {};
    for (const [keyword, value] of Object.entries(schema)) {
      const result = this.#keyword(schema, { keyword, value, at: below(at, keyword) });
      if (result !== undefined) converted[keyword] = result;
    }
    this.#addBounds(schema, converted);
    this.#addBranches(schema, { converted, at });
    const keyword = this.#direction === 'request' ? 'readOnly' : 'writeOnly';
    const hidden = hiddenMembersOf(schema, at, { keyword, source: this.#source });
    if (hidden.size > 0) omitMembers(converted, hidden);
    if (schema['type'] === 'file' || schema['format'] === 'binary') {
      converted['type'] = 'string';
      converted['contentEncoding'] = 'base64';
      delete converted['format'];
    }
    return schema['$ref'] === undefined ? withNull(converted, schema) : converted;
  }

  #keyword(
    schema: JsonObject,
    { keyword, value, at }: { keyword: string; value: unknown; at: Place },
  ): unknown {
    const schemas = SCHEMA_KEYWORDS.get(keyword);
    if (schemas) return this.#subschemas(schemas, value, at);
    const isValid = PLAIN_KEYWORDS.get(keyword);
    if (!isValid) return undefined;
    if (!isValid(value)) {
      // The boolean of OpenAPI 3.0, which #addBounds reads, and the list of samples of some generators.
      if (!keyword.startsWith('exclusive') && keyword !== 'examples')
        this.#warn(at, `has no valid value for "${keyword}"`);
      return undefined;
    }
    if (keyword === 'type') return [value].flat().includes('file') ? 'string' : value;
    if (keyword === 'required') return [...new Set(value as readonly string[])];
    if (keyword === 'pattern') return this.#pattern(String(value), at);
    if (keyword === 'description') return this.#description(schema);
    return value;
  }

  #subschemas(shape: 'one' | 'list' | 'map', value: unknown, at: Place): unknown {
    if (shape === 'one') return Array.isArray(value) ? undefined : this.#convert(value, at);
    if (shape === 'list') {
      if (!Array.isArray(value) || value.length === 0) return undefined;
      return value.map((item: unknown, index) => this.#convert(item, below(at, index)));
    }
    if (!isJsonObject(value)) return undefined;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, this.#convert(member, below(at, name))]),
    );
  }

  /** Returns a pattern that the engine can match in linear time; undefined, and a warning, for another one. */
  #pattern(pattern: string, at: Place): string | undefined {
    try {
      compilePattern(pattern);
      return pattern;
    } catch (error) {
      if (!(error instanceof UnsupportedPattern)) throw error;
      this.#warn(at, `has a pattern that cannot be used: it ${error.message}`);
      return undefined;
    }
  }

  /** A default of a request is only described, because the orchestrator applies it: a change must not send it. */
  #description({ description, default: preset }: JsonObject): unknown {
    return this.#direction === 'reply' || preset === undefined
      ? description
      : withDefault(description, preset);
  }

  #addBounds(
    {
      minimum,
      maximum,
      exclusiveMinimum,
      exclusiveMaximum,
      default: preset,
      description,
      example,
    }: JsonObject,
    converted: Record<string, unknown>,
  ): void {
    if (exclusiveMinimum === true && typeof minimum === 'number') {
      converted['exclusiveMinimum'] = minimum;
      delete converted['minimum'];
    }
    if (exclusiveMaximum === true && typeof maximum === 'number') {
      converted['exclusiveMaximum'] = maximum;
      delete converted['maximum'];
    }
    if (example !== undefined && converted['examples'] === undefined) converted['examples'] = [example];
    if (preset === undefined) return;
    if (this.#direction === 'reply') converted['default'] = preset;
    else if (typeof description !== 'string') converted['description'] = withDefault(undefined, preset);
  }

  /** Makes the branches of a union exclusive by its discriminator; without a mapping, any branch may match. */
  #addBranches(
    { discriminator, oneOf }: JsonObject,
    { converted, at }: { converted: Record<string, unknown>; at: Place },
  ): void {
    const { propertyName, mapping } = objectOf(discriminator);
    const branches = converted['oneOf'];
    if (typeof propertyName !== 'string' || !Array.isArray(branches) || !Array.isArray(oneOf)) return;
    if (!isJsonObject(mapping)) {
      delete converted['oneOf'];
      converted['anyOf'] = branches;
      return;
    }
    const targetOf = (reference: unknown): string => {
      const name = String(reference);
      const pointer = /[/#.]/.test(name) ? name : `#/components/schemas/${name}`;
      const found = this.#source.follow(pointer, below(at, 'discriminator', 'mapping'));
      return found ? `${found.at.file}#${found.at.pointer}` : '';
    };
    const words = Object.entries(mapping).map(([word, target]) => [word, targetOf(target)] as const);
    converted['oneOf'] = branches.map((branch: unknown, index) => {
      const reference: unknown = objectOf(oneOf[index])['$ref'];
      if (typeof reference !== 'string') return branch;
      const target = targetOf(reference);
      const own = words.flatMap(([word, other]) => (other === target ? [word] : []));
      const names = own.length > 0 ? own : [reference.split('/').at(-1)];
      return { allOf: [branch], required: [propertyName], properties: { [propertyName]: { enum: names } } };
    });
  }

  #warn(at: Place, message: string): void {
    this.#faults.warn(at, message, 'Correct the document. Until then, this part of it is left out.');
  }
}

/** Returns a name that is not taken yet, and takes it. A later one of the same name gets a number. */
export function uniqueName(wanted: string, taken: Set<string>): string {
  let name = wanted;
  for (let count = 2; taken.has(name); count += 1) name = `${wanted}_${count}`;
  taken.add(name);
  return name;
}

function withDefault(description: unknown, preset: unknown): string {
  const sentence = `Default: ${jsonText(preset)}.`;
  return typeof description === 'string' && description !== ''
    ? `${description.trimEnd()} ${sentence}`
    : sentence;
}

/** Adds null to a schema that is `nullable` in OpenAPI 3.0, or `x-nullable` in Swagger 2.0. */
function withNull(converted: JsonSchema, { nullable, 'x-nullable': isNullable }: JsonObject): JsonSchema {
  if (nullable !== true && isNullable !== true) return converted;
  const { type, enum: values, description, ...rest } = converted;
  if (typeof type === 'string' && rest['$ref'] === undefined) {
    const all = Array.isArray(values) && !values.includes(null) ? [...(values as unknown[]), null] : values;
    return { ...converted, type: [type, 'null'], ...(all !== undefined && { enum: all }) };
  }
  if (type !== undefined) return converted;
  const schema = values === undefined ? rest : { ...rest, enum: values };
  return { ...(description !== undefined && { description }), anyOf: [schema, { type: 'null' }] };
}
