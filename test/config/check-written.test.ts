import assert from 'node:assert/strict';
import { absolutePaths, checkWritten } from '../../src/config/check-written.js';
import { readDocument } from '../../src/config/document.js';
import type { JsonSchema } from '../../src/core/schema.js';
import { compileSchema } from '../../src/json-schema/compile.js';
import { referenceSyntax } from '../../src/server/state/configuration.js';

/** Checks the part of a text at a pointer, with the schema of its members. */
function check(properties: JsonSchema, text: string, at = '') {
  const document = readDocument({ file: '/etc/x.yaml', text }, { V: '7' });
  const whole = document.value as Readonly<Record<string, unknown>>;
  const part = { id: 'i', document, at, value: at === '' ? whole : whole[at.slice(1)] };
  const validate = compileSchema({ type: 'object', additionalProperties: false, properties });
  const { written, faults } = checkWritten(part, { validate, syntax: referenceSyntax });
  return {
    written,
    fixes: faults.map(({ fix }) => fix),
    faults: faults.map(
      ({ line, column, pointer, code, message }) => `${line}:${column} ${pointer} ${code} ${message}`,
    ),
  };
}

describe('checkWritten', () => {
  it('defers the check of a reference in place of a scalar', () => {
    for (const schema of [
      { type: 'string', pattern: '^x' },
      { type: 'string', enum: ['x'] },
      { type: 'integer', minimum: 1 },
      { type: ['boolean', 'null'] },
      { type: ['integer', 'object'] },
    ])
      assert.deepEqual(check({ a: schema }, 'a: $VAULT_a#b').faults, [], JSON.stringify(schema));
  });

  it('refuses a reference in place of an object or a list, which no secret is', () => {
    for (const type of ['object', 'array', ['object', 'null'], ['array', 'object']])
      assert.equal(check({ a: { type } }, 'a: $VAULT_a#b').faults.length, 1, String(type));
  });

  it('refuses an unknown name with a reference, at the place of the name', () => {
    assert.deepEqual(check({ a: {} }, 'a: 1\nother: $VAULT_a#b').faults, [
      '2:1 /other schema is not known here; known: a',
    ]);
  });

  it('recommends a value for a key without one', () => {
    const text = { a: { type: 'string' } };
    assert.deepEqual(check(text, 'a:').fixes, ['Give it a value, or remove the key.']);
    assert.notDeepEqual(check(text, 'a: 1').fixes, ['Give it a value, or remove the key.']);
  });

  it('repeats no fault of the document at the same place', () => {
    assert.deepEqual(check({ a: { type: 'integer' }, b: { type: 'integer' } }, 'a: ${NONE}\nb: x').faults, [
      '2:4 /b schema must be an integer',
    ]);
  });

  it('reports faults of a part with the pointers of the document, and reads only its variables', () => {
    const text = 'p: { a: "${V}", b: x }\npq: { a: "${V}" }\n';
    const { written, faults } = check({ a: { type: 'integer' }, b: { type: 'integer' } }, text, '/p');
    assert.deepEqual(faults, ['1:20 /p/b schema must be an integer']);
    assert.deepEqual([...(written.converted ?? [])], [['/a', 7]]);
    assert.deepEqual([written.id, written.at, written.value], ['i', '/p', { a: 7, b: 'x' }]);
  });

  it('returns the paths of a valid part alone', () => {
    const schema = { file: { type: 'string', 'x-path': true }, n: { type: 'integer' } };
    const valid = check(schema, 'file: a.pem').written;
    assert.deepEqual([valid.value, valid.paths], [{ file: '/etc/a.pem' }, ['/file']]);
    assert.equal(check(schema, 'file: a.pem\nn: x').written.paths, undefined);
    assert.deepEqual(check(schema, 'file: $VAULT_a#b').written.value, { file: '$VAULT_a#b' });
  });

  it('checks nothing of a text that is not YAML', () => {
    const { written, faults } = check({}, 'a: [');
    assert.deepEqual([faults, written.secrets, written.value], [[], [], undefined]);
  });
});

describe('absolutePaths', () => {
  it('starts relative paths at the folder of the file, and keeps every other text', () => {
    for (const [text, expected] of [
      ['a/b.pem', '/etc/gatehouse/a/b.pem'],
      ['../a', '/etc/a'],
      ['/a', '/a'],
      ['', ''],
      [':memory:', '/etc/gatehouse/:memory:'],
      ['sqlite:a.db', 'sqlite:/etc/gatehouse/a.db'],
      ['sqlite:/a.db', 'sqlite:/a.db'],
      ['sqlite::memory:', 'sqlite::memory:'],
      ['sqlite:', 'sqlite:'],
      ['postgres://h/db', 'postgres://h/db'],
      ['postgresql://h/db', 'postgresql://h/db'],
      ['a postgres://h/db', '/etc/gatehouse/a postgres:/h/db'],
      ['a\nb', '/etc/gatehouse/a\nb'],
    ])
      assert.deepEqual(absolutePaths({ p: text }, ['/p'], '/etc/gatehouse/x.yaml'), { p: expected }, text);
    assert.deepEqual(absolutePaths({ p: 1, q: 'a' }, ['/p', '/none'], '/x.yaml'), { p: 1, q: 'a' });
  });
});
