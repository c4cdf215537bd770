/** A JSON Schema, or a part of a schema. */
type Schema = Readonly<Record<string, unknown>>;

/** Violation of a rule of the model that JSON Schema cannot express. */
export interface ModelViolation {
  /** RFC 6901 pointer. */
  readonly pointer: string;
  readonly message: string;
}

/** Maximum number of violations reported for one document. */
const LIMIT = 100;

/**
 * Checks the extensions in the compiler's schemas: `x-yang.keys` and `x-yang.unique` (no two equal entries in
 * a list, in any spelling), `x-yang-range` and `x-yang-length`. The document must already be valid against
 * the schema.
 */
export function checkYangDocument(schema: Schema, document: unknown): readonly ModelViolation[] {
  const check = new DocumentCheck(schema);
  check.value(schema, document, '');
  return check.violations;
}

/** Returns true for a schema that declares that it was made from a YANG module. */
export function isYangSchema(schema: unknown): schema is Schema {
  return asSchema(asSchema(schema)['x-yang'])['kind'] === 'module';
}

class DocumentCheck {
  readonly violations: ModelViolation[] = [];
  readonly #root: Schema;

  constructor(root: Schema) {
    this.#root = root;
  }

  value(written: unknown, value: unknown, pointer: string): void {
    const schema = this.#resolve(written);
    if (this.violations.length >= LIMIT) return;
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
      this.#alike(
        entries,
        entries.map((entry) => this.#leaves(items, entry, keys)),
        pointer,
      );
    if (schema['uniqueItems'] === true)
      this.#alike(
        entries,
        entries.map((entry) => [this.#canonical(items, entry)]),
        pointer,
      );
    for (const paths of listOf(yang['unique']).map((one) => listOf(one).map(String)))
      this.#alike(
        entries,
        entries.map((entry) => this.#leaves(items, entry, paths)),
        pointer,
      );
    entries.forEach((entry, at) => {
      this.value(items, entry, `${pointer}/${at}`);
    });
  }

  /** Reports entries whose values are all present and equal those of an earlier entry. */
  #alike(entries: readonly unknown[], values: readonly (readonly unknown[])[], pointer: string): void {
    const seen = new Map<string, number>();
    entries.forEach((_, at) => {
      const own = values[at] ?? [];
      if (own.length === 0 || own.includes(undefined)) return;
      const identity = JSON.stringify(own);
      const before = seen.get(identity);
      if (before === undefined) seen.set(identity, at);
      else this.#tell(`${pointer}/${at}`, `must differ from entry ${before} in its keys or unique values`);
    });
  }

  /** Returns the values of an entry's leaves, in canonical form. */
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
    const digits = schema['x-yang-number'];
    return typeof digits === 'number' ? String(readDecimal(value, digits) ?? value) : value;
  }

  #text(schema: Schema, value: string, pointer: string): void {
    const intervals = listOf(schema['x-yang-range']);
    if (intervals.length > 0) {
      const number = readDecimal(value, Number(schema['x-yang-number'] ?? 0));
      if (number === undefined || !inAny(number, intervals)) this.#tell(pointer, 'is out of range');
    }
    const lengths = listOf(schema['x-yang-length']);
    if (lengths.length > 0 && !inAny(BigInt(Buffer.from(value, 'base64').length), lengths))
      this.#tell(pointer, 'has too few or too many octets');
  }

  #tell(pointer: string, message: string): void {
    if (this.violations.length < LIMIT) this.violations.push({ pointer, message });
  }

  /**
   * Returns a schema merged with the targets of its references. The compiler writes references beside or in
   * place of a schema.
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
 * Returns true if the value is in one of the intervals. Malformed intervals, in schemas from elsewhere,
 * contain no value.
 */
function inAny(value: bigint, intervals: readonly unknown[]): boolean {
  return intervals.some((interval) => {
    const [from = '', to = ''] = listOf(interval).map(String);
    if (!INTEGER.test(from) || !INTEGER.test(to)) return false;
    return BigInt(from) <= value && value <= BigInt(to);
  });
}

const INTEGER = /^-?[0-9]{1,40}$/;

/** Maximum number of fraction digits of a decimal64 (RFC 7950 9.3.4). */
const FRACTION_DIGITS = 18;

/**
 * Reads a decimal64 as a number of units of its last digit. Returns undefined for an invalid number or too
 * many fraction digits.
 */
export function readDecimal(text: string, digits: number): bigint | undefined {
  const [, sign, whole = '', fraction = ''] = /^([+-]?)([0-9]{1,40})(?:\.([0-9]{1,40}))?$/.exec(text) ?? [];
  const kept = fraction.replace(/0+$/, '');
  if (whole === '' || kept.length > digits) return undefined;
  const units = BigInt(whole + kept.padEnd(Math.min(digits, FRACTION_DIGITS), '0'));
  return sign === '-' ? -units : units;
}

function asSchema(value: unknown): Schema {
  return typeof value === 'object' && value !== null ? (value as Schema) : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
