import assert from 'node:assert/strict';
import fc from 'fast-check';
import { LineCounter } from 'yaml';
import { readDocument } from '../../src/config/document.js';
import { parseYaml, replaceScalars, writeYaml } from '../../src/config/yaml.js';

const REFERENCE = '$VAULT_adapters/nso1#password';
const valueOf = (text: string): unknown => readDocument({ file: 'f.yaml', text }, {}).value;

describe('replaceScalars', () => {
  const cases: readonly (readonly [what: string, before: string, pointer: string, after: string])[] = [
    ['a plain scalar', 'a:   $ENCx   # why\nb: 1\n', '/a', `a:   ${REFERENCE}   # why\nb: 1\n`],
    ['a scalar in double quotes', 'a: "$ENCx" # c\n', '/a', `a: "${REFERENCE}" # c\n`],
    ['a scalar in single quotes', "a: '$ENCx'\n", '/a', `a: '${REFERENCE}'\n`],
    ['JSON', '{\n\t"a": {"b" :"$ENCx"}}', '/a/b', `{\n\t"a": {"b" :"${REFERENCE}"}}`],
    ['a flow map', 'a: { u: x,  p: $ENCx }\n', '/a/p', `a: { u: x,  p: ${REFERENCE} }\n`],
    ['an item of a list', 'a:\n  - x\n  - $ENCx\n', '/a/1', `a:\n  - x\n  - ${REFERENCE}\n`],
    ['a block scalar', 'a: |-\n  $ENCx\nb: 1\n', '/a', `a: ${REFERENCE}\nb: 1\n`],
    ['a folded scalar at the end', 'a: >\n  $ENCx\n  y\n', '/a', `a: ${REFERENCE}\n`],
    ['a plain scalar of several lines', 'a: $ENCx\n  y\nb: 1\n', '/a', `a: ${REFERENCE}\nb: 1\n`],
    ['an anchored scalar', 'a: &p $ENCx\nb: *p\n', '/a', `a: &p ${REFERENCE}\nb: *p\n`],
    ['an alias', 'a: &p $ENCx\nb: *p\n', '/b', `a: &p $ENCx\nb: ${REFERENCE}\n`],
    ['a scalar behind an alias', 'a: &m { p: $ENCx }\nb: *m\n', '/b/p', `a: &m { p: ${REFERENCE} }\nb: *m\n`],
    ['a number as a key, CRLF', '1: $ENCx\r\nb: 1\r\n', '/1', `1: ${REFERENCE}\r\nb: 1\r\n`],
    ['a name with a slash', 'a/b: $ENCx\n', '/a~1b', `a/b: ${REFERENCE}\n`],
  ];
  it('replaces a scalar and keeps the rest unchanged', () => {
    for (const [what, before, pointer, after] of cases)
      assert.equal(replaceScalars(before, new Map([[pointer, REFERENCE]])), after, what);
  });

  it('replaces several scalars of any length at once', () => {
    const changes = new Map([
      ['/c', '$VAULT_c#c'],
      ['/a', REFERENCE],
    ]);
    assert.equal(
      replaceScalars('a: 1\nb: 2\nc: 3333333333333333\n', changes),
      `a: ${REFERENCE}\nb: 2\nc: $VAULT_c#c\n`,
    );
  });

  it('quotes a value that would be read as another type', () => {
    for (const value of [
      'true',
      '1',
      'a: b',
      'x #y',
      '',
      '- z',
      '"',
      "it's",
      'line\nbreak',
      'ü',
      '\\',
      '*p',
    ]) {
      for (const before of ['a: x\n', "a: 'x'\n", 'a: "x"\n', 'a: {b: x}\n'])
        assert.deepEqual(
          JSON.stringify(
            valueOf(replaceScalars(before, new Map([[before.includes('b') ? '/a/b' : '/a', value]]))),
          ),
          JSON.stringify(before.includes('b') ? { a: { b: value } } : { a: value }),
        );
    }
  });

  it('changes only the given values in any document (property)', () => {
    const text = fc.string({ maxLength: 8 });
    const property = fc.property(
      fc.dictionary(
        fc.string({ minLength: 1, maxLength: 3 }).filter((key) => key !== '__proto__'),
        text,
        { minKeys: 1 },
      ),
      (object) => {
        const [name = ''] = Object.keys(object);
        const pointer = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
        const edited = replaceScalars(JSON.stringify(object, null, 2), new Map([[pointer, REFERENCE]]));
        assert.deepEqual(JSON.parse(edited), { ...object, [name]: REFERENCE });
      },
    );
    fc.assert(property);
  });

  it('throws for a pointer without a scalar and for an invalid document', () => {
    for (const pointer of ['/b', '/a', '/a/0/x', ''])
      assert.throws(() => replaceScalars('a: [[1]]\n', new Map([[pointer, 'x']])), /there is no scalar/);
    assert.throws(() => replaceScalars('a: 1\n', new Map([['/a/b', 'x']])), /there is no scalar at \/a\/b/);
    assert.throws(() => replaceScalars('a: [', new Map()), /not a YAML document/);
    assert.throws(() => replaceScalars('['.repeat(300), new Map()), /not a YAML document/);
  });

  it('throws for a value that is left out, which has no place in the text', () => {
    for (const text of ['a:\n', 'a: # none\n', '{ a: , b: 1 }', 'a: &x\nb: 1\n'])
      assert.throws(() => replaceScalars(text, new Map([['/a', 'x']])), {
        message: 'there is no scalar at /a',
      });
  });

  it('keeps the blank lines after a block scalar, and only those', () => {
    for (const [before, after] of [
      ['a: |\n  x\n  y\n\n\nb: 1\n', `a: ${REFERENCE}\n\n\nb: 1\n`],
      ['a: >+\n  x\n\n', `a: ${REFERENCE}\n\n`],
      ['a: |\n  x', `a: ${REFERENCE}`],
      ['a: "x"\n\n', `a: "${REFERENCE}"\n\n`],
    ] as const)
      assert.equal(replaceScalars(before, new Map([['/a', REFERENCE]])), after, before);
  });

  it('leaves a reference without quotes, and no other text', () => {
    for (const [value, written] of [
      ['$VAULT_a', '$VAULT_a'],
      ['$A', '$A'],
      ['$VAULT_a/b.c%20-d#e', '$VAULT_a/b.c%20-d#e'],
      ['$VAULT_a b', '"$VAULT_a b"'],
      ['$VAULT_a: b', '"$VAULT_a: b"'],
      ['$VAULT_a?version=2', '"$VAULT_a?version=2"'],
      ['x$VAULT_a', '"x$VAULT_a"'],
      ['$', '"$"'],
      ['$1', '"$1"'],
    ] as const)
      assert.equal(replaceScalars('a: x\n', new Map([['/a', value]])), `a: ${written}\n`);
    assert.equal(replaceScalars("a: 'x'\n", new Map([['/a', "it's"]])), "a: 'it''s'\n");
    assert.equal(replaceScalars("a: 'x'\n", new Map([['/a', 'ü\n']])), 'a: "ü\\n"\n');
  });
});

describe('parseYaml', () => {
  it('reads wide texts of any number of indicators, and refuses deep ones of each kind', () => {
    const parse = (text: string) => parseYaml(text, new LineCounter());
    for (const wide of ['- a: {}\n'.repeat(500), `[${'[],'.repeat(500)}]`, '# [[[[[[[['.repeat(100)])
      assert.deepEqual(parse(wide)?.errors, [], wide.slice(0, 9));
    for (const deep of [
      '['.repeat(300),
      '{'.repeat(300),
      '- '.repeat(300),
      '? '.repeat(300),
      '{a: '.repeat(300),
    ])
      assert.equal(parse(deep), undefined, deep.slice(0, 9));
    assert.notEqual(parse('['.repeat(64) + ']'.repeat(64)), undefined);
  });
});

const texts = fc
  .array(
    fc.constantFrom(
      ...Array.from(' \n\t-:#|>?&*!%@`[]{},"\'\\'),
      '<<',
      '...',
      '0',
      '1e3',
      'null',
      'a',
      '\r',
      '\u2028',
      '\ufeff',
    ),
  )
  .map((parts) => parts.join(''));

const objectsOf = <T>(values: fc.Arbitrary<T>) => fc.dictionary(texts, values, { noNullPrototype: true });

describe('writeYaml', () => {
  const readBack = (value: unknown): unknown => {
    const { value: read, faults } = readDocument({ file: 'f.yaml', text: writeYaml(value) }, undefined);
    assert.deepEqual(faults, []);
    return read;
  };

  for (const value of [
    ' \n',
    '  \n',
    '\n \n',
    '\t\n',
    '\n\n',
    { '<<': { a: 1 } },
    { a: [{ '<<': [] }] },
    '<<',
  ])
    it(`writes ${JSON.stringify(value)} so that it is read as the same value (bug: blanks were lost, and << was refused)`, () => {
      assert.deepEqual(readBack({ a: value }), { a: value });
    });

  it('writes any texts and names so that they are read as the same', () => {
    fc.assert(
      fc.property(objectsOf(fc.oneof(texts, fc.array(texts), objectsOf(texts))), (value) => {
        assert.deepEqual(readBack(value), value);
      }),
      { numRuns: 100 },
    );
  });
});
