import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parse } from 'yaml';
import { checkWritten } from '../../src/config/check-written.js';
import { readDocument } from '../../src/config/document.js';
import { readCoreScalar } from '../../src/config/variables.js';
import type { JsonSchema } from '../../src/core/schema.js';
import { compileSchema } from '../../src/json-schema/compile.js';
import { valueAt } from '../../src/json/pointer.js';
import { referenceSyntax } from '../../src/server/state/configuration.js';
import { adapterSchema } from '../../src/settings/adapter.js';
import { settingsSchema } from '../../src/settings/settings.js';
import { anyText } from '../support/any-text.js';
import { column } from '../support/columns.js';

type Env = Readonly<Record<string, string>>;

/** Checks a text with a schema, and returns its value and one line for each fault. */
function check(schema: JsonSchema, text: string, env: Env) {
  const document = readDocument({ file: 'x.yaml', text }, env);
  const part = { id: '', document, at: '', value: document.value };
  const { written, faults } = checkWritten(part, {
    validate: compileSchema(schema),
    syntax: referenceSyntax,
  });
  return {
    value: written.value,
    converted: written.converted ?? new Map<string, unknown>(),
    fixes: column(faults, 'fix'),
    faults: [...document.faults, ...faults].map(({ pointer, message }) => `${pointer} ${message}`),
  };
}

const checkMain = (text: string, env: Env = {}) => check(settingsSchema, text, env);

describe('readCoreScalar', () => {
  it('reads each text', () => {
    for (const [text, value] of [
      [' 4\n', 4],
      ['-4', -4],
      ['+4', 4],
      ['014', 14],
      ['0o14', 12],
      ['0x1F', 31],
      ['1e3', 1000],
      ['.5', 0.5],
      ['True', true],
      ['FALSE', false],
      ['', null],
    ] as const)
      assert.deepEqual(readCoreScalar(text), { value }, JSON.stringify(text));
  });

  it('leaves every other text a text', () => {
    const others = ['yes', 'on', 'two', '4 5', '4 # comment', '0b1', '1_000', '"4"', '[4]', '.inf', '.nan'];
    for (const text of [...others, '9007199254740993', '1e400'])
      assert.equal(readCoreScalar(text), undefined, JSON.stringify(text));
  });

  it('reads every text as an unquoted scalar of YAML 1.2 reads it (property)', () => {
    // "..." is not a scalar: it ends the document.
    const scalar = fc.stringMatching(/^[-+]?[0-9a-fox.eE]{1,8}$/).filter((text) => text !== '...');
    fc.assert(
      fc.property(fc.oneof(scalar, fc.constantFrom('true', 'false', 'null', '~', 'Yes', 'NO')), (text) => {
        const value: unknown = parse(text, { version: '1.2', schema: 'core' });
        const isExact =
          typeof value !== 'number' ||
          (Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value)));
        const expected = typeof value === 'string' || !isExact ? undefined : { value };
        assert.deepEqual(readCoreScalar(text), expected);
      }),
    );
  });
});

describe('a variable without other text', () => {
  it('becomes a number or a boolean where the schema wants one', () => {
    const text = `server:
  workers: \${WORKERS}
  drainSeconds: "\${DRAIN}"
  limits: { connectionsPerAddress: '\${NONE}', connections: "\${UNSET:-0x10}" }
console:
  enabled: \${ON}
`;
    const { faults, value } = checkMain(text, { WORKERS: '4', DRAIN: '0', NONE: 'null', ON: 'False' });
    assert.deepEqual(faults, []);
    const read = (pointer: string) => valueAt(value, pointer);
    assert.deepEqual(
      [
        read('/server/workers'),
        read('/server/drainSeconds'),
        read('/server/limits/connectionsPerAddress'),
        read('/server/limits/connections'),
        read('/console/enabled'),
      ],
      [4, 0, null, 16, false],
    );
  });

  it('becomes one of several words or numbers', () => {
    const read = (version: string) => {
      const vault = 'vault: { address: http://127.0.0.1, auth: { method: cert }, kvVersion: "${V}" }';
      const { faults, value } = checkMain(vault, { V: version });
      return faults[0] ?? valueAt(value, '/vault/kvVersion');
    };
    assert.deepEqual([read('1'), read('auto')], [1, 'auto']);
    assert.equal(read('3'), '/vault/kvVersion must be one of 1, 2, auto; V is "3"');
    assert.equal(
      valueAt(checkMain('server: { workers: "${W}" }', { W: 'auto' }).value, '/server/workers'),
      'auto',
    );
  });

  it('becomes a number where the schema accepts a number, or a text of another form', () => {
    const read = (expiresIn: string) => {
      const text =
        'plugin: p\nbaseUrl: http://a\nauth: { type: login, steps: [{ request: { path: / } }], expiresIn: "${E}" }\n';
      const { value, faults } = check(adapterSchema, text, { E: expiresIn });
      return faults[0] ?? valueAt(value, '/auth/expiresIn');
    };
    assert.deepEqual([read('300'), read('/expires_in')], [300, '/expires_in']);
    assert.match(String(read('soon')), /^\/auth\/expiresIn must be seconds, or a JSON pointer .*E/);
  });

  it('stays a text where the schema accepts a text', () => {
    const adapter = `plugin: http-rest
baseUrl: http://a.example
auth: { type: basic, username: "\${U}", password: "\${P}" }
groups: ["\${P}"]
brokers: ["\${P}"]
`;
    const { faults, value } = check(adapterSchema, adapter, { U: 'true', P: '123' });
    assert.deepEqual(faults, []);
    assert.deepEqual(valueAt(value, '/auth'), { type: 'basic', username: 'true', password: '123' });
    assert.deepEqual([valueAt(value, '/groups'), valueAt(value, '/brokers')], [['123'], ['123']]);
    const claims = checkMain(
      'auth: { issuers: [{ issuer: i, audience: a, algorithms: [RS256], discovery: true, requiredClaims: { azp: "${N}" } }] }',
      { N: '7' },
    );
    assert.deepEqual(claims.faults, []);
    assert.equal(valueAt(claims.value, '/auth/issuers/0/requiredClaims/azp'), '7');
  });

  it('is told with its name and its text, and the fix names it', () => {
    const { faults, fixes } = checkMain(
      'server: { drainSeconds: "${DRAIN}", workers: "${W:-many}", limits: { bodyBytes: "${SIZE}" } }',
      { DRAIN: 'two', SIZE: '0' },
    );
    assert.deepEqual(faults, [
      '/server/drainSeconds DRAIN is "two", which is not a whole number',
      '/server/limits/bodyBytes must be at least 1; SIZE is "0"',
      '/server/workers must be a number from 1 to 256, or auto; the default of W is "many"',
    ]);
    assert.deepEqual(fixes, [
      'Correct DRAIN.',
      'Correct SIZE.',
      'Correct the default of W, or set the variable.',
    ]);
  });

  for (const [text, expected] of [
    ['', 'N is empty, which is not a whole number'],
    ['yes', 'N is "yes", which is not a whole number'],
    ['1.5', 'N is "1.5", which is not a whole number'],
    ['x'.repeat(40), `N is "${'x'.repeat(40)}", which is not a whole number`],
    ['x'.repeat(41), 'N is not a whole number'],
  ] as const)
    it(`with the text ${JSON.stringify(text)} is no whole number`, () => {
      assert.deepEqual(checkMain('server: { drainSeconds: "${N}" }', { N: text }).faults, [
        `/server/drainSeconds ${expected}`,
      ]);
    });

  it('is told with the types that the schema accepts, in words', () => {
    for (const [types, words] of [
      [['number'], 'a number'],
      [['boolean'], 'true or false'],
      [['integer', 'array'], 'a whole number or a list'],
      [['integer', 'object'], 'a whole number or object'],
    ] as const)
      assert.deepEqual(
        check({ type: 'object', properties: { a: { type: types } } }, 'a: ${N}', { N: 'x' }).faults,
        [`/a N is "x", which is not ${words}`],
      );
  });

  it('stays a text beside alternatives of another member, which the value violates', () => {
    const schema = {
      type: 'object',
      properties: {
        either: { type: ['string', 'integer'] },
        other: { anyOf: [{ type: 'boolean' }, { type: 'array' }] },
        otherOne: { type: ['string', 'integer'] },
      },
    };
    const { value, faults } = check(schema, 'either: ${V}\nother: x\notherOne: ${V}\n', { V: '7' });
    assert.deepEqual(value, { either: '7', other: 'x', otherOne: '7' });
    assert.notDeepEqual(faults, []);
  });

  it('keeps the text of a secret, of an address and of a variable with the name of a secret out of every fault', () => {
    const hidden = 'hunter2';
    const secret = {
      type: 'object',
      properties: { pin: { type: ['string', 'integer'], enum: [1], 'x-secret': true } },
    };
    const said = [
      ...check(secret, 'pin: ${PIN}', { PIN: hidden }).faults,
      ...checkMain('server: { drainSeconds: "${DB_PASSWORD}", listen: "${L}" }', {
        DB_PASSWORD: hidden,
        L: hidden,
      }).faults,
      ...checkMain('storage: { url: "${URL}" }', { URL: `mysql://u:${hidden}@db` }).faults,
      ...check(
        {
          type: 'object',
          properties: { password: { type: 'string', anyOf: [{ const: 'a' }, { const: 'b' }] } },
        },
        'password: ${P}',
        { P: hidden },
      ).faults,
    ];
    assert.equal(said.length, 5);
    assert.ok(!said.join('\n').includes(hidden), said.join('\n'));
    for (const [at, name] of ['PIN', 'DB_PASSWORD', 'L', 'URL'].entries())
      assert.ok(
        said.some((line) => line.includes(name)),
        `${at} ${said.join('\n')}`,
      );
  });

  it('with other text around it stays a text, and the fix says so', () => {
    const { faults, fixes } = checkMain('server: { drainSeconds: "${N}0" }', { N: '1' });
    assert.deepEqual(faults, ['/server/drainSeconds must be a whole number of seconds']);
    assert.deepEqual(fixes, [
      'Write ${N} without other text: only then can its value be a number or a boolean.',
    ]);
  });

  it('is converted in more places than a schema reports violations', () => {
    const schema = { type: 'array', items: { type: 'integer' } };
    const text = `[${Array.from({ length: 250 }, () => '"${N}"').join(', ')}]`;
    assert.deepEqual(
      check(schema, text, { N: '7' }).value,
      Array.from({ length: 250 }, () => 7),
    );
  });

  it('of a plugin converts between alternatives that the schema combines', () => {
    const schema = {
      type: 'object',
      anyOf: [
        { properties: { port: { type: 'integer' } }, required: ['port'] },
        { properties: { socket: { type: 'string' } }, required: ['socket'] },
      ],
    };
    assert.deepEqual(check(schema, 'port: ${PORT}', { PORT: '830' }).value, { port: 830 });
    assert.deepEqual(check(schema, 'socket: ${S}', { S: '830' }).value, { socket: '830' });
  });

  it('never changes a text that the schema accepts, and converts what YAML reads (property)', () => {
    const schema = {
      type: 'object',
      properties: {
        text: { type: 'string' },
        either: { type: ['string', 'integer', 'boolean', 'null'] },
        whole: { type: 'integer' },
        flag: { type: 'boolean' },
      },
    };
    const value = fc.oneof(
      anyText({ maxLength: 6 }),
      fc.integer().map(String),
      fc.constantFrom('true', 'false', 'null', '', '0o7'),
    );
    fc.assert(
      fc.property(value, (text) => {
        const { value, faults } = check(schema, 'text: ${V}\neither: ${V}\nwhole: ${V}\nflag: ${V}\n', {
          V: text,
        });
        const read = readCoreScalar(text)?.value;
        const expected = {
          text,
          either: text,
          whole: Number.isInteger(read) ? read : text,
          flag: typeof read === 'boolean' ? read : text,
        };
        assert.deepEqual(value, expected);
        assert.equal(faults.length, Number(expected.whole === text) + Number(expected.flag === text));
      }),
    );
  });
});
