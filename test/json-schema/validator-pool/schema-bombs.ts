/** A schema, and data for it, that would exhaust the time or memory of some validators. */
export interface Bomb {
  readonly kind: string;
  /** How far the kind is driven. */
  readonly size: number;
  /** Returns the body as it is sent. */
  readonly body: () => Buffer;
}

type Make = (size: number) => { readonly schema: unknown; readonly data: unknown };

const STEPS = [1, 2, 4, 7, 11, 16, 22, 29, 37, 46, 56, 60];
const HUNDREDS = [10, 50, 100, 300, 700, 1500, 3000, 6000, 10_000, 15_000, 20_000];

/** Every bomb of security test F2: kinds, each driven through a range of sizes. */
export const BOMBS: readonly Bomb[] = [
  ...['anyOf', 'oneOf', 'allOf'].flatMap((word) =>
    of(`ladder of ${word}`, STEPS, (size) => ladder(word, size)),
  ),
  ...of('ladder that looks for the unevaluated', STEPS, (size) => ({
    schema: { ...(ladder('anyOf', size).schema as object), unevaluatedProperties: false },
    data: {},
  })),
  ...of('choices at every level of the data', STEPS, (size) => ({
    schema: { anyOf: filled(8, { type: 'array', items: { $ref: '#' } }) },
    data: nested(size, (inner) => [inner]),
  })),
  ...of('cycle of references', STEPS, (size) => ({
    schema: {
      $ref: '#/$defs/a0',
      $defs: named(size, 'a', (at) => ({ $ref: `#/$defs/a${(at + 1) % size}` })),
    },
    data: 1,
  })),
  ...of('references chosen late', STEPS, (size) => ({
    schema: {
      $ref: 'l0',
      $defs: {
        ...named(size, 'd', (at) => ({ $id: `l${at}`, anyOf: ['x', 'y'].map((name) => ({ $id: `l${at}${name}`, $ref: `l${at + 1}`, $defs: { a: { $dynamicAnchor: `n${at}` } } })) })), // prettier-ignore
        end: { $id: `l${size}`, $dynamicRef: '#n0', $defs: { a: { $dynamicAnchor: 'n0' } } },
      },
    },
    data: 1,
  })),
  ...of('deep negation', [...STEPS, 900, 3000], (size) => ({
    schema: nested(size, (not) => ({ not })),
    data: 1,
  })),
  ...of('deep items', [...STEPS, 900, 3000], (size) => ({
    schema: nested(size, (items) => ({ items })),
    data: nested(size, (inner) => [inner]),
  })),
  ...of('long enum', HUNDREDS, (size) => ({
    schema: { enum: range(size * 5).map((at) => ({ at })) },
    data: { at: -1 },
  })),
  ...of('many properties', HUNDREDS, (size) => ({ schema: { properties: named(size, 'p', () => ({ minLength: 1 })) }, data: {} })), // prettier-ignore
  ...of('large const', HUNDREDS, (size) => ({
    schema: { const: range(size) },
    data: [...range(size - 1), 'x'],
  })),
  ...of('unique objects', HUNDREDS, (size) => ({
    schema: { uniqueItems: true },
    data: range(size).map((at) => ({ at })),
  })),
  ...of('contains and counts', HUNDREDS, (size) => ({
    schema: { contains: { enum: range(200) }, minContains: size, maxContains: size + 1 },
    data: filled(size, 199),
  })),
  ...of('names of properties', HUNDREDS, (size) => ({
    schema: { propertyNames: { anyOf: range(50).map((at) => ({ pattern: `^(a+)+${at}$` })) } },
    data: named(size, 'a', () => 1),
  })),
  ...of('patterns of properties', HUNDREDS, (size) => ({
    schema: { patternProperties: named(Math.min(size, 500), '(a+)+$', () => ({ type: 'null' })) },
    data: named(size, 'aaaaaaaaaa', () => null),
  })),
  ...of('long text, overlapping pattern', HUNDREDS, (size) => ({ schema: { pattern: '^(a+)+$' }, data: `${'a'.repeat(size)}!` })), // prettier-ignore
  ...of('counted pattern', STEPS, (size) => ({ schema: { pattern: `^(?:(?:a?){${size}}){${size}}$` }, data: 'a'.repeat(1000) })), // prettier-ignore
  ...[
    'hostname',
    'idn-hostname',
    'email',
    'uri',
    'iri',
    'uri-template',
    'regex',
    'date-time',
    'duration',
    'ipv6',
    'json-pointer',
    'uuid',
  ].flatMap((format) =>
    of(`long text, format ${format}`, [1000, 30_000, 300_000], (size) => ({
      schema: { format },
      data: '\u0660a-%{'.repeat(size / 5),
    })),
  ),
  ...[
    'http://169.254.169.254/',
    'file:///etc/passwd',
    'ftp://a.example/',
    'data:application/json,{}',
    '//a.example/x',
    '\\\\host\\share',
  ].flatMap(
    (uri) => of('reference to elsewhere', [1, 100, 1000], (size) => ({ schema: { anyOf: range(size).map((at) => ({ $ref: `${uri}?${at}` })) }, data: 1 })), // prettier-ignore
  ),
  ...[
    'http://json-schema.org/draft-07/schema',
    'https://json-schema.org/draft/2020-12/schema',
    'json-schema:/',
    'json-schema:/bound',
    '#',
    '',
  ].flatMap(
    ($id) => of('URI of somebody else', [1, 2], (size) => ({ schema: { $ref: '#/$defs/a0', $defs: named(size, 'a', () => ({ $id })) }, data: 1 })), // prettier-ignore
  ),
  ...of('words that mean nothing', HUNDREDS, (size) => ({ schema: { ...named(size, 'x-', (at) => ({ at })), format: 'none', $async: size === 10 }, data: 'x' })), // prettier-ignore
  ...of('defaults of prototypes', STEPS, (size) => ({
    schema: JSON.parse(
      `{"default":{"__proto__":{"x":1}},"properties":{"__proto__":{"default":{"x":${size}}}}}`,
    ) as unknown,
    data: JSON.parse('{"__proto__":{"x":1},"constructor":{"prototype":{"x":1}}}') as unknown,
  })),
];

function of(kind: string, sizes: readonly number[], make: Make): readonly Bomb[] {
  const body = (size: number): Buffer => {
    const { schema, data } = make(size);
    return Buffer.from(JSON.stringify({ jsonSchema: schema, formData: data }));
  };
  return sizes.map((size) => ({ kind, size, body: () => body(size) }));
}

/** Creates a schema in which each definition refers to the next one twice. */
function ladder(word: string, size: number): ReturnType<Make> {
  const step = (at: number): object => ({ [word]: filled(2, { $ref: `#/$defs/s${at + 1}` }) });
  return { schema: { $ref: '#/$defs/s0', $defs: { ...named(size, 's', step), [`s${size}`]: { type: 'null' } } }, data: {} }; // prettier-ignore
}

function range(size: number): readonly number[] {
  return Array.from({ length: size }, (_, at) => at);
}

function filled<Value>(size: number, value: Value): readonly Value[] {
  return Array.from({ length: size }, () => value);
}

function named(
  size: number,
  prefix: string,
  make: (at: number) => unknown,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(range(size).map((at) => [`${prefix}${at}`, make(at)]));
}

function nested(size: number, wrap: (inner: unknown) => unknown): unknown {
  return range(size).reduce<unknown>((inner) => wrap(inner), true);
}
