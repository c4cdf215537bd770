import { jsonText } from '../json/write-json.js';
/** A JSON Schema or a subschema. */
type Schema = Readonly<Record<string, unknown>>;

/** Violation of a rule of the model that JSON Schema cannot express. */
export interface ModelViolation {
  /** RFC 6901 pointer. */
  readonly pointer: string;
  readonly message: string;
}

/** Maximum number of violations reported for one document. */
const MAX_VIOLATIONS = 100;

/**
 * Checks the rules that the YANG compiler writes as extensions into its schemas. `x-yang.keys` and
 * `x-yang.unique` forbid equal list entries, in any spelling; `x-yang-range` and `x-yang-length` limit
 * values. The document must already be valid against the schema.
 */
export function checkYangDocument(schema: Schema, document: unknown): readonly ModelViolation[] {
  const check = new DocumentCheck(schema);
  check.value(schema, document, '');
  return check.violations;
}

/** Returns true for a schema that declares that it was compiled from a YANG module, or from the modules of a datastore. */
export function isYangSchema(schema: unknown): schema is Schema {
  const { kind } = asSchema(asSchema(schema)['x-yang']);
  return kind === 'module' || kind === 'datastore';
}

class DocumentCheck {
  readonly violations: ModelViolation[] = [];
  readonly #root: Schema;

  constructor(root: Schema) {
    this.#root = root;
  }

  value(written: unknown, value: unknown, pointer: string): void {
    const schema = this.#resolve(written);
    if (this.violations.length >= MAX_VIOLATIONS) return;
    if (typeof value === 'string') this.#text(schema, value, pointer);
    else if (Array.isArray(value)) this.#list(schema, value, pointer);
    else if (typeof value === 'object' && value !== null) this.#object(schema, value, pointer);
  }

  #object(schema: Schema, value: object, pointer: string): void {
    const properties = asSchema(schema['properties']);
    for (const [name, inner] of Object.entries(value))
      if (Object.hasOwn(properties, name))
        this.value(properties[name], inner, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  }

  #list(schema: Schema, entries: readonly unknown[], pointer: string): void {
    const yang = asSchema(schema['x-yang']);
    const items = schema['items'];
    const keys = listOf(yang['keys']).map(String);
    if (keys.length > 0)
      this.#checkDistinct(
        entries,
        entries.map((entry) => this.#leaves(items, entry, keys)),
        pointer,
      );
    // The keys of a list decide, in any spelling of the other members.
    else if (schema['uniqueItems'] === true)
      this.#checkDistinct(
        entries,
        entries.map((entry) => [this.#canonical(items, entry)]),
        pointer,
      );
    for (const paths of listOf(yang['unique']).map((leaves) => listOf(leaves).map(String)))
      this.#checkDistinct(
        entries,
        entries.map((entry) => this.#leaves(items, entry, paths)),
        pointer,
      );
    entries.forEach((entry, at) => {
      this.value(items, entry, `${pointer}/${at}`);
    });
  }

  /** Reports an entry if all its values are present and equal to those of an earlier entry. */
  #checkDistinct(
    entries: readonly unknown[],
    values: readonly (readonly unknown[])[],
    pointer: string,
  ): void {
    const seen = new Map<string, number>();
    entries.forEach((_, at) => {
      const entryValues = values[at] ?? [];
      if (entryValues.length === 0 || entryValues.includes(undefined)) return;
      const identity = jsonText(entryValues);
      const earlier = seen.get(identity);
      if (earlier === undefined) seen.set(identity, at);
      else this.#report(`${pointer}/${at}`, `must differ from entry ${earlier} in its keys or unique values`);
    });
  }

  /** Returns the values of an entry's leaves in canonical form. */
  #leaves(items: unknown, entry: unknown, paths: readonly string[]): readonly unknown[] {
    return paths.map((path) => {
      let [schema, value] = [this.#resolve(items), entry];
      for (const step of path.split('/')) {
        if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
        value = (value as Schema)[step];
        schema = this.#resolve(asSchema(schema['properties'])[step]);
      }
      return this.#canonical(schema, value);
    });
  }

  /** Returns the canonical form of a value: `5` for `+5`, `module:name` for `name`, sorted bits. */
  #canonical(written: unknown, value: unknown): unknown {
    if (typeof value !== 'string') return value;
    const schema = this.#resolve(written);
    const identities = schema['x-yang-identities'];
    if (typeof identities === 'string') return value.includes(':') ? value : `${identities}:${value}`;
    if ('x-yang-bits' in schema) return value.split(' ').sort().join(' ');
    const fractionDigits = schema['x-yang-number'];
    return typeof fractionDigits === 'number' ? String(readDecimal(value, fractionDigits) ?? value) : value;
  }

  #text(schema: Schema, value: string, pointer: string): void {
    const intervals = listOf(schema['x-yang-range']);
    if (intervals.length > 0) {
      const number = readDecimal(value, Number(schema['x-yang-number'] ?? 0));
      if (number === undefined || !isInAnyInterval(number, intervals))
        this.#report(pointer, 'is out of range');
    }
    const lengths = listOf(schema['x-yang-length']);
    if (lengths.length > 0 && !isInAnyInterval(BigInt(Buffer.from(value, 'base64').length), lengths))
      this.#report(pointer, 'has too few or too many octets');
  }

  #report(pointer: string, message: string): void {
    if (this.violations.length < MAX_VIOLATIONS) this.violations.push({ pointer, message });
  }

  /**
   * Returns a schema merged with the targets of its references. The compiler writes `$ref` into a schema, or
   * into its `allOf`.
   */
  #resolve(written: unknown): Schema {
    let schema = asSchema(written);
    for (const part of [schema, ...listOf(schema['allOf']).map(asSchema)]) {
      const reference = part['$ref'];
      if (typeof reference !== 'string') continue;
      let target: unknown = this.#root;
      for (const step of reference.replace(/^#\//, '').split('/')) target = asSchema(target)[step];
      schema = { ...asSchema(target), ...schema };
    }
    return schema;
  }
}

/**
 * Returns true if the value is in one of the intervals. A malformed interval, for example in a schema of a
 * caller, contains no value.
 */
function isInAnyInterval(value: bigint, intervals: readonly unknown[]): boolean {
  return intervals.some((interval) => {
    const [from = '', to = ''] = listOf(interval).map(String);
    if (!INTEGER_PATTERN.test(from) || !INTEGER_PATTERN.test(to)) return false;
    return BigInt(from) <= value && value <= BigInt(to);
  });
}

const INTEGER_PATTERN = /^-?[0-9]{1,40}$/;

/** Maximum number of fraction digits of a decimal64 (RFC 7950 9.3.4). */
const MAX_FRACTION_DIGITS = 18;

/**
 * Reads a decimal64 as an integer in units of its last digit. Returns undefined for an invalid number and for
 * too many fraction digits.
 */
export function readDecimal(text: string, fractionDigits: number): bigint | undefined {
  const [, sign, integer = '', fraction = ''] = /^([+-]?)([0-9]{1,40})(?:\.([0-9]{1,40}))?$/.exec(text) ?? [];
  const significantFraction = fraction.replace(/0+$/, '');
  if (integer === '' || significantFraction.length > fractionDigits) return undefined;
  const units = BigInt(
    integer + significantFraction.padEnd(Math.min(fractionDigits, MAX_FRACTION_DIGITS), '0'),
  );
  return sign === '-' ? -units : units;
}

function asSchema(value: unknown): Schema {
  return typeof value === 'object' && value !== null ? (value as Schema) : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
