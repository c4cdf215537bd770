import fc from 'fast-check';
import type { JsonSchema } from '../../../src/core/schema.js';
import { pointerTo, stringsOf, valueAt, withValues } from '../../../src/json/pointer.js';

type Properties = Readonly<Record<string, JsonSchema>>;

/** Returns random values that are valid against a configuration schema of gatehouse. */
export function validValue(schema: JsonSchema): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema['const']);
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...(schema['enum'] as readonly unknown[]));
  if ('discriminator' in schema) return fc.oneof(...branchesOf(schema, 'oneOf').map(validValue));
  if (Array.isArray(schema['anyOf'])) return fc.oneof(...branchesOf(schema, 'anyOf').map(validValue));
  const types = [schema['type']].flat().map(String);
  return fc.oneof(...types.map((type) => valueOfType(schema, type)));
}

function branchesOf(schema: JsonSchema, keyword: string): readonly JsonSchema[] {
  return schema[keyword] as readonly JsonSchema[];
}

function valueOfType(schema: JsonSchema, type: string): fc.Arbitrary<unknown> {
  const { minimum = 0, maximum = minimum + 1000, minItems = 0, uniqueItems, items } = schema as Keywords;
  if (type === 'null') return fc.constant(null);
  if (type === 'boolean') return fc.boolean();
  if (type === 'integer') return fc.integer({ min: minimum, max: maximum });
  if (type === 'number') return fc.constantFrom(minimum, maximum);
  if (type === 'object') return objectValue(schema);
  if (type === 'string') return fc.constantFrom(...exampleTexts(schema));
  const item = validValue(items ?? { type: 'string' });
  const length = { minLength: minItems, maxLength: minItems + 1 };
  return uniqueItems === true
    ? fc.uniqueArray(item, { ...length, selector: (one) => JSON.stringify(one) })
    : fc.array(item, length);
}

interface Keywords {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly uniqueItems?: boolean;
  readonly items?: JsonSchema;
  readonly properties?: Properties;
  readonly additionalProperties?: JsonSchema;
  readonly required?: readonly string[];
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
}

function objectValue(schema: JsonSchema): fc.Arbitrary<unknown> {
  const { properties, additionalProperties, required = [] } = schema as Keywords;
  if (properties) {
    const members = Object.entries(properties).map(([name, member]) => [name, validValue(member)] as const);
    const record = fc.record(Object.fromEntries(members), { requiredKeys: [...required] as never[] });
    return record.map((value) => withoutConflicts(value as Members, properties));
  }
  const member = validValue(additionalProperties ?? { type: 'string' });
  return fc.oneof(
    fc.constant({}),
    member.map((value) => ({ [MAP_KEY]: value })),
  );
}

/** A name that is valid in every map: a header, a role, a value of a login and an adapterId. */
const MAP_KEY = 'name';

const KEY_SOURCES = ['publicKeyFile', 'secret', 'jwksUri', 'discovery'];

type Members = Readonly<Record<string, unknown>>;

/** Returns an object without some of its members. */
export function without(value: Members, names: readonly string[]): Members {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}

/** Sections whose keys exclude or require each other, by a key that only this section has. */
const CONFLICTS: Readonly<Record<string, (value: Members) => Members>> = {
  jwksUri(value) {
    const [source = 'discovery'] = KEY_SOURCES.filter((name) => name in value);
    const algorithms = [source === 'secret' ? 'HS256' : 'RS256'];
    return { ...without(value, KEY_SOURCES), [source]: value[source] ?? true, algorithms };
  },
  baseUrls(value) {
    const adapter = { ...without(value, ['options']), plugin: 'restconf' };
    if ('baseUrls' in value) return without(adapter, ['baseUrl']);
    return { ...adapter, baseUrl: value['baseUrl'] ?? 'http://a.example' };
  },
  insecure: (value) => without(value, ['certFile', 'keyFile']),
  form: (value) => ('form' in value ? without(value, ['body']) : value),
  // A second rule of the cache could never be used, and times could contradict each other.
  changesAll: ({ rules, ...value }) => ({
    ...value,
    rules: Array.isArray(rules) ? rules.slice(0, 1) : rules,
  }),
  perRoles: (value) => without(value, ['ttlSeconds', 'maxSeconds', 'overridesReplies']),
  paths: (value) => ({ roles: ['admin'], ...value }),
  webhook(value) {
    if ('mail' in value) return without(value, ['webhook']);
    return { webhook: { url: 'https://chat.example/hooks', secret: '$$VAULT_a' }, ...value };
  },
};

/** Keeps one of the keys that exclude each other, and adds what a key requires. */
function withoutConflicts(value: Members, properties: Properties): Members {
  const [, solve] = Object.entries(CONFLICTS).find(([key]) => key in properties) ?? [];
  return solve ? solve(value) : value;
}

/** Texts of which each key accepts at least one. */
const TEXTS = [
  ...`a /a /a/b a/b 127.0.0.1:0 10.0.0.0/8 2023.2 restconf $$VAULT_a ${'a'.repeat(32)}`.split(' '),
  ...'http://a.example http://a.example:3128 https://a.example/b sqlite::memory: udp://127.0.0.1:514'.split(
    ' ',
  ),
  ...'X-Auth-Token max-age=31536000 adapters/{name} header:location noc@example.com'.split(' '),
  'X-Auth-Token: {token}',
];

function exampleTexts(schema: JsonSchema): readonly [string, ...string[]] {
  const { pattern, format, minLength = 0, maxLength = Infinity } = schema as Keywords;
  const accepts = (text: string) =>
    (pattern === undefined || new RegExp(pattern, 'u').test(text)) &&
    (format === undefined || text.startsWith('/')) &&
    text.length >= minLength &&
    text.length <= maxLength;
  const [first, ...others] = TEXTS.filter(accepts);
  if (first === undefined) throw new Error(`no text matches ${pattern ?? ''}`);
  return [first, ...others];
}

/** A configuration whose scalars may be variables and references. */
export interface WrittenConfiguration {
  readonly value: unknown;
  readonly env: Readonly<Record<string, string>>;
}

/** How a scalar is written: as it is, as a variable, as the default of one, in part, or as a reference. */
type Notation = 'plain' | 'variable' | 'default' | 'part' | 'reference' | 'platform';

const NOTATIONS: readonly Notation[] = ['plain', 'variable', 'default', 'part', 'reference', 'platform'];

/** Returns the same configuration with variables and references in place of some of its scalars. */
export function rewritten(
  value: unknown,
  allowsReference: (pointer: string) => boolean,
): fc.Arbitrary<WrittenConfiguration> {
  const scalars = scalarsOf(value);
  return fc
    .array(fc.constantFrom(...NOTATIONS), { minLength: scalars.length, maxLength: scalars.length })
    .map((notations) => {
      const env: Record<string, string> = {};
      const changes = new Map<string, unknown>();
      for (const [at, pointer] of scalars.entries()) {
        const name = `V${at}`;
        const written = writeScalar(notations[at] ?? 'plain', valueAt(value, pointer), {
          name,
          canRefer: allowsReference(pointer),
        });
        if (written === undefined) continue;
        changes.set(pointer, written.text);
        if (written.variable !== undefined) env[name] = written.variable;
      }
      return { value: withValues(value, changes), env };
    });
}

interface NotatedScalar {
  readonly text: string;
  readonly variable?: string;
}

function writeScalar(
  notation: Notation,
  scalar: unknown,
  { name, canRefer }: { readonly name: string; readonly canRefer: boolean },
): NotatedScalar | undefined {
  const text = String(scalar);
  if (notation === 'variable') return { text: `\${${name}}`, variable: text };
  if (notation === 'default') return /[{}]/.test(text) ? undefined : { text: `\${${name}:-${text}}` };
  if (notation === 'part' && typeof scalar === 'string' && !text.includes('$'))
    return { text: `${text.slice(0, 1)}\${${name}}`, variable: text.slice(1) };
  if (notation === 'reference' && canRefer) return { text: `$VAULT_adapters/${name}?version=2#/a/b` };
  if (notation === 'platform' && canRefer) return { text: `$SECRET_adapters/${name} $KEY_password` };
  return undefined;
}

/** Returns the pointers of the texts, numbers and booleans of a value. */
export function scalarsOf(value: unknown, pointer = ''): readonly string[] {
  if (value === null) return [];
  if (typeof value !== 'object') return [pointer];
  return Object.entries(value).flatMap(([name, member]) => scalarsOf(member, pointerTo(pointer, name)));
}

/** Texts that are valid in few places, or in none. */
export const STRANGE_TEXTS = [
  ...'|yes|30s|-1|1e3|null|$|$$|${|${1}|${A-b}|${A:-{}}|$${|$${A}|$$${A}|$ENC0| $enc0|$$ENC0'.split('|'),
  ...'$VAULT_|$VAULT_a|$VAULT_a#|$VAULT_a#b#c|$VAULT_a b|$VAULT_/a|$VAULT_/a/b|$VAULT_a//b|$VAULT'.split('|'),
  ...'$VAULT_a?version=1|$VAULT_a?v=1|$vault_a#b|$SECRET_a|$SECRET_a $KEY_b|$SECRETS|vault://a'.split('|'),
  ...'{vault://a}|ref+vault://a|$secret://a|$$VAULT_a|$$vault_a|a $VAULT_b|$VAULT_${SET}#b'.split('|'),
  ...'${SET}|${UNSET:-7}'.split('|'),
];

/** Environment of {@link STRANGE_TEXTS}. */
export const STRANGE_ENV = { SET: '7' };

/** Returns true if a text of the value contains a variable, whose value no schema can know. */
export function hasVariable(value: unknown): boolean {
  return stringsOf(value).some(({ text }) => /(?:^|[^$])\$\{/.test(text));
}
