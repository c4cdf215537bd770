/** A schema, and data for it, that would exhaust the time or memory of some validators. */
interface Bomb {
  readonly kind: string;
  /** The size parameter of the kind. */
  readonly size: number;
  /** Returns the request body. */
  readonly body: () => Buffer;
}

type Make = (size: number) => { readonly schema: unknown; readonly data: unknown };

const SMALL_SIZES = [1, 2, 4, 7, 11, 16, 22, 29, 37, 46, 56, 60];
const LARGE_SIZES = [10, 50, 100, 300, 700, 1500, 3000, 6000, 10_000, 15_000, 20_000];

/** Every bomb of security test F2: each kind in several sizes. */
export const BOMBS: readonly Bomb[] = [
  ...['anyOf', 'oneOf', 'allOf'].flatMap((keyword) =>
    bombsOf(`ladder of ${keyword}`, SMALL_SIZES, (size) => ladder(keyword, size)),
  ),
  ...bombsOf('ladder that looks for the unevaluated', SMALL_SIZES, (size) => ({
    schema: { ...(ladder('anyOf', size).schema as object), unevaluatedProperties: false },
    data: {},
  })),
  ...bombsOf('choices at every level of the data', SMALL_SIZES, (size) => ({
    schema: { anyOf: filled(8, { type: 'array', items: { $ref: '#' } }) },
    data: nested(size, (inner) => [inner]),
  })),
  ...bombsOf('cycle of references', SMALL_SIZES, (size) => ({
    schema: {
      $ref: '#/$defs/a0',
      $defs: named(size, 'a', (at) => ({ $ref: `#/$defs/a${(at + 1) % size}` })),
    },
    data: 1,
  })),
  ...bombsOf('references chosen late', SMALL_SIZES, (size) => ({
    schema: {
      $ref: 'l0',
      $defs: {
        ...named(size, 'd', (at) => ({ $id: `l${at}`, anyOf: ['x', 'y'].map((name) => ({ $id: `l${at}${name}`, $ref: `l${at + 1}`, $defs: { a: { $dynamicAnchor: `n${at}` } } })) })), // prettier-ignore
        end: { $id: `l${size}`, $dynamicRef: '#n0', $defs: { a: { $dynamicAnchor: 'n0' } } },
      },
    },
    data: 1,
  })),
  ...bombsOf('deep negation', [...SMALL_SIZES, 900, 3000], (size) => ({
    schema: nested(size, (not) => ({ not })),
    data: 1,
  })),
  ...bombsOf('deep items', [...SMALL_SIZES, 900, 3000], (size) => ({
    schema: nested(size, (items) => ({ items })),
    data: nested(size, (inner) => [inner]),
  })),
  ...bombsOf('long enum', LARGE_SIZES, (size) => ({
    schema: { enum: range(size * 5).map((at) => ({ at })) },
    data: { at: -1 },
  })),
  ...bombsOf('many properties', LARGE_SIZES, (size) => ({ schema: { properties: named(size, 'p', () => ({ minLength: 1 })) }, data: {} })), // prettier-ignore
  ...bombsOf('large const', LARGE_SIZES, (size) => ({
    schema: { const: range(size) },
    data: [...range(size - 1), 'x'],
  })),
  ...bombsOf('unique objects', LARGE_SIZES, (size) => ({
    schema: { uniqueItems: true },
    data: range(size).map((at) => ({ at })),
  })),
  ...bombsOf('contains and counts', LARGE_SIZES, (size) => ({
    schema: { contains: { enum: range(200) }, minContains: size, maxContains: size + 1 },
    data: filled(size, 199),
  })),
  ...bombsOf('names of properties', LARGE_SIZES, (size) => ({
    schema: { propertyNames: { anyOf: range(50).map((at) => ({ pattern: `^(a+)+${at}$` })) } },
    data: named(size, 'a', () => 1),
  })),
  ...bombsOf('patterns of properties', LARGE_SIZES, (size) => ({
    schema: { patternProperties: named(Math.min(size, 500), '(a+)+$', () => ({ type: 'null' })) },
    data: named(size, 'aaaaaaaaaa', () => null),
  })),
  ...bombsOf('long text, overlapping pattern', LARGE_SIZES, (size) => ({ schema: { pattern: '^(a+)+$' }, data: `${'a'.repeat(size)}!` })), // prettier-ignore
  ...bombsOf('counted pattern', SMALL_SIZES, (size) => ({ schema: { pattern: `^(?:(?:a?){${size}}){${size}}$` }, data: 'a'.repeat(1000) })), // prettier-ignore
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
    bombsOf(`long text, format ${format}`, [1000, 30_000, 300_000], (size) => ({
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
    (uri) => bombsOf('reference to elsewhere', [1, 100, 1000], (size) => ({ schema: { anyOf: range(size).map((at) => ({ $ref: `${uri}?${at}` })) }, data: 1 })), // prettier-ignore
  ),
  ...[
    'http://json-schema.org/draft-07/schema',
    'https://json-schema.org/draft/2020-12/schema',
    'json-schema:/',
    'json-schema:/bound',
    '#',
    '',
  ].flatMap(
    ($id) => bombsOf('URI of somebody else', [1, 2], (size) => ({ schema: { $ref: '#/$defs/a0', $defs: named(size, 'a', () => ({ $id })) }, data: 1 })), // prettier-ignore
  ),
  ...bombsOf('words that mean nothing', LARGE_SIZES, (size) => ({ schema: { ...named(size, 'x-', (at) => ({ at })), format: 'none', $async: size === 10 }, data: 'x' })), // prettier-ignore
  ...bombsOf('defaults of prototypes', SMALL_SIZES, (size) => ({
    schema: JSON.parse(
      `{"default":{"__proto__":{"x":1}},"properties":{"__proto__":{"default":{"x":${size}}}}}`,
    ) as unknown,
    data: JSON.parse('{"__proto__":{"x":1},"constructor":{"prototype":{"x":1}}}') as unknown,
  })),
];

function bombsOf(kind: string, sizes: readonly number[], make: Make): readonly Bomb[] {
  const body = (size: number): Buffer => {
    const { schema, data } = make(size);
    return Buffer.from(JSON.stringify({ jsonSchema: schema, formData: data }));
  };
  return sizes.map((size) => ({ kind, size, body: () => body(size) }));
}

/** Creates a schema in which each definition refers to the next one twice. */
function ladder(keyword: string, size: number): ReturnType<Make> {
  const step = (at: number): object => ({ [keyword]: filled(2, { $ref: `#/$defs/s${at + 1}` }) });
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
