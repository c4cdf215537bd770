import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readDocument } from '../../src/config/document.js';
import { pointerTo } from '../../src/json/pointer.js';

const read = (text: string, env = {}) => readDocument({ file: 'x.yaml', text }, env);
const faultsOf = (text: string, env = {}) =>
  read(text, env).faults.map(
    ({ line, column, pointer, code, message }) => `${line}:${column} ${pointer} ${code} ${message}`,
  );

/** More values than a document may have, by aliases. */
const MANY_VALUES = `a: &a [${'1,'.repeat(999)}]\nb: [${'*a,'.repeat(110)}]`;

const nestedList = (count: number) => '['.repeat(count) + ']'.repeat(count);

describe('readDocument', () => {
  it('reads each form', () => {
    for (const [what, text, value] of [
      ['an empty file', '', {}],
      ['comments only', '# nothing\n', {}],
      ['a null', '~', null],
      [
        'core schema scalars',
        'a: [yes, on, 0x10, 0o10, 1e3, ~, null, True, 2001-01-01]',
        { a: ['yes', 'on', 16, 8, 1000, null, null, true, '2001-01-01'] },
      ],
      [
        'JSON with tabs',
        '{\n\t"a": {\n\t\t"b": [1,\t"\\u00e4\\/\\ud83d\\ude00"]\n\t}\n}',
        { a: { b: [1, 'ä/😀'] } },
      ],
      ['names that look like other types', '1: a\ntrue: b\n~: c', { 1: 'a', true: 'b', '~': 'c' }],
      ['the name "<<" of a text, which is no merge key', '<<: a', { '<<': 'a' }],
      ['aliases', 'a: &x [1]\nb: *x\nc: &x 2\nd: *x', { a: [1], b: [1], c: 2, d: 2 }],
      ['core tags', 'a: !!str 1\nb: !!int "1"', { a: '1', b: 1 }],
      ['a value that is left out', 'a:\nb: {c}', { a: null, b: { c: null } }],
      ['block text', 'a: |\n  x\n  y\nb: >-\n  x\n  y', { a: 'x\ny\n', b: 'x y' }],
      ['the version directive of YAML 1.1, which changes nothing', '%YAML 1.1\n---\na: yes', { a: 'yes' }],
    ] as const)
      assert.deepEqual([read(text).value, faultsOf(text)], [value, []], what);
  });

  it('says which line is indented too deeply below a key with a value', () => {
    for (const [text, place] of [
      ['a:\n  b: 127.0.0.1:3000\n    c: 1', '3:5'],
      ['a:\n  b: 127.0.0.1:3000\n    c: 1\n    d: 2', '3:5'],
      ['a:\n  b: "x" # y\n\n    c: 1', '4:5'],
      ["a:\n  - b: 'x'\n      # z\n      c: 1", '4:7'],
      ['a:\n  b: 1\n    c:\n      d: 1', '3:5'],
    ] as const) {
      const [fault, ...others] = faultsOf(text);
      assert.equal(fault, `${place}  yaml is indented deeper than line 2, which has its value already`, text);
      assert.deepEqual(others, [], text);
    }
  });

  it('reports the faults with their places', () => {
    for (const [text, ...expected] of [
      [
        'a: 1\nb:\n  c: 1\n  c: 2\na: 3',
        '4:3 /b/c yaml occurs twice in its object: on line 3 and on line 4',
        '5:1 /a yaml occurs twice in its object: on line 1 and on line 5',
      ],
      ['a: {"b": 1, b: 2}', '1:13 /a/b yaml occurs twice on line 1'],
      [
        'a: &x {b: 1}\nc:\n  <<: *x',
        '3:3 /c/<< yaml is a merge key of YAML 1.1, which YAML 1.2 does not have',
      ],
      ['__proto__:\n  x: 1', '1:1 /__proto__ yaml is a reserved name'],
      ['a:\n\t- x', '2:1  yaml is indented with a tab'],
      ['a: 1\n---\nb: 2', '2:1  yaml starts a second document'],
      ['? [a]\n: 1', '1:3  yaml has a key that is not a string'],
      ['a: @pw', '1:4  yaml starts with a reserved character'],
      ['a: pw: x', '1:4  yaml holds a second ":" on the line'],
      ['a: "\\xZZ"', '1:5  yaml holds an unknown escape in double quotes'],
      ['a: !secret x', '1:4  yaml has an unknown tag'],
      ['a: !!binary aGk=', '1:4  yaml has an unknown tag'],
      ['%SECRET\n---\na: 1', '1:1  yaml holds an unknown directive'],
      ['a: |secret\n  x', '1:5  yaml is not well-formed YAML'],
      ['a: *none', '1:4 /a yaml is an alias without an anchor before it'],
      ['a: &x [*x]', '1:8 /a/0 yaml is an alias without an anchor before it'],
      [
        'a: .inf\nb: 12345678901234567890\nc: .nan\nd: -.INF',
        '1:4 /a yaml is a number that cannot be stored exactly',
        '2:4 /b yaml is a number that cannot be stored exactly',
        '3:4 /c yaml is a number that cannot be stored exactly',
        '4:4 /d yaml is a number that cannot be stored exactly',
      ],
      [nestedList(66), `1:66 ${'/0'.repeat(65)} yaml is nested deeper than 64 levels`],
      [
        'a:\n  - ok\n  - x-${NONE}-${GONE}',
        '3:5 /a/1 env needs the environment variable NONE, which is not set',
        '3:5 /a/1 env needs the environment variable GONE, which is not set',
      ],
      ['a: "${no good}"', '1:4 /a env holds a "${" that does not start a variable'],
    ] as const)
      assert.deepEqual(faultsOf(text), expected, JSON.stringify(text.slice(0, 40)));
  });

  it('recommends a fix for each fault of the syntax', () => {
    for (const [text, message, fix] of [
      ['a: &x 1\nb: *', 'holds a malformed alias', 'Put the value in quotes if it starts with "*".'],
      ['%SECRET\n---\na: 1', 'holds an unknown directive', 'Remove the line that starts with "%".'],
      [
        'a: "\\xZZ"',
        'holds an unknown escape in double quotes',
        'Use single quotes, or write "\\\\" for a backslash.',
      ],
      ['a: @pw', 'starts with a reserved character', 'Put the value in quotes.'],
      ['a: pw: x', 'holds a second ":" on the line', 'Put the value in quotes.'],
      [
        'a: { b: c: d }',
        'holds a second ":" before a comma',
        'Write a comma between two members, or put a value that holds ": " in quotes.',
      ],
      [
        'abc\ndef: 1',
        'is a line without ": " before a line with it',
        'Write a colon and a space after the name, or put a text of several lines in quotes.',
      ],
      [
        'a: 1\n---\nb: 2',
        'starts a second document',
        'Keep one document: remove "---" and everything after it.',
      ],
      ['? [a]\n: 1', 'has a key that is not a string', 'Write the key as plain or quoted text.'],
      ['a:\n\t- x', 'is indented with a tab', 'Indent with spaces.'],
      ['a: !secret x', 'has an unknown tag', 'Remove the tag (the word that starts with "!").'],
      [
        'a: |secret\n  x',
        'is not well-formed YAML',
        'Correct the YAML at this place; quotes around the value often help.',
      ],
      [
        'a: "b" c',
        'has text after a closing quote',
        'Write a quote inside of the text twice, or use the other kind of quotes.',
      ],
      [
        'a: [${B}]',
        'has an environment variable without quotes inside brackets or braces',
        'Put the value in quotes: "${NAME}".',
      ],
      ['a: [b', '[ on line 1 is not closed', 'Write ] at the end of the list.'],
      ['a: {b: c', '{ on line 1 is not closed', 'Write } at the end of the object.'],
      ['a: "b', '" on line 1 is not closed', 'Write " at the end of the text.'],
      ["a: 1\nb: 'c", "' on line 2 is not closed", "Write ' at the end of the text."],
      ['['.repeat(300), 'is nested too deeply to be read', 'Write a flatter document.'],
    ] as const) {
      const { faults, sound, value } = read(text);
      assert.deepEqual(
        faults.map((fault) => [fault.message, fault.fix]),
        [[message, fix]],
        text.slice(0, 40),
      );
      assert.deepEqual([sound, value], [false, undefined]);
    }
  });

  it('recommends a fix for each fault of a value', () => {
    for (const [text, fix] of [
      ['a: 1\na: 2', 'Remove it on line 1 or on line 2.'],
      ['{ a: 1, a: 2 }', 'Remove one of the two.'],
      ['a: &x {b: 1}\nc:\n  <<: *x', 'Write the members here in full; "NAME: *ALIAS" repeats a whole value.'],
      ['__proto__: 1', 'Choose another name.'],
      ['{ a:1 }', 'Write a space after the colon.'],
      [
        'a: *none',
        'Put the value in quotes if it is meant to start with "*"; otherwise define the anchor first.',
      ],
      ['a: .inf', 'Put it in quotes if it is text; otherwise write a smaller number.'],
      [nestedList(66), 'Write a flatter document.'],
      ['a: ${NONE}', 'Set NONE for the process, or write ${NONE:-default}.'],
      [
        'a: "${no good}"',
        'Write ${NAME} or ${NAME:-default} (no braces in the default), or $${ for a literal "${".',
      ],
      [MANY_VALUES, 'Write a smaller document; values repeated by aliases count each time.'],
    ] as const) {
      const { faults, sound } = read(text);
      assert.deepEqual(
        faults.map((fault) => fault.fix),
        [fix],
        text.slice(0, 40),
      );
      assert.equal(sound, true);
    }
  });

  it('reads 64 levels and 100000 values, and no more', () => {
    assert.deepEqual(faultsOf(nestedList(65)), []);
    const values = (count: number): string =>
      `a: &a [${'1,'.repeat(99)}]\nb: [${'*a,'.repeat(998)}]\nc: [${'1,'.repeat(count)}]`;
    assert.deepEqual(faultsOf(values(97)), []);
    assert.deepEqual(faultsOf(values(98)), [
      '3:199 /c/97 yaml exceeds the maximum of 100000 values in a document',
    ]);
    assert.equal(faultsOf(MANY_VALUES).length, 1);
    assert.equal(faultsOf(`${MANY_VALUES}\n__proto__: 1`).length, 2);
  });

  it('reports at most 20 faults of the syntax, from the first', () => {
    const lines = Array.from({ length: 30 }, (_, at) => `a${at}: @`);
    const expected = lines.map(
      (line, at) => `${at + 1}:${line.length}  yaml starts with a reserved character`,
    );
    assert.deepEqual(faultsOf(lines.join('\n')), expected.slice(0, 20));
  });

  it('leaves variables as they are without an environment, and reports none', () => {
    const { value, faults, insertions } = readDocument(
      { file: 'f', text: 'a: ${NONE}\nb: "${"\n' },
      undefined,
    );
    assert.deepEqual([value, faults, insertions?.size], [{ a: '${NONE}', b: '${' }, [], 0]);
  });

  it('finds unquoted texts before one blank and a comment of one word', () => {
    const found = (text: string) => read(text).wordComments;
    assert.deepEqual(found('a: x #word\nb:\n  - y\n  - z #w\nc: { d/e: v #1\n  }\n'), [
      '/a',
      '/b/1',
      '/c/d~1e',
    ]);
    for (const text of [
      'a: "x" #word',
      "a: 'x' #word",
      'a: x # word',
      'a: x #two words',
      'a: x',
      'a: |\n  x #b',
    ])
      assert.deepEqual(found(text), [], text);
  });

  it('expands variables in values only and keeps the type string', () => {
    const text = '${A}: ["${A}", "$${A}", "${B:-x}"]\nn: ${N}';
    assert.deepEqual(read(text, { A: 'y', N: '1' }).value, { '${A}': ['y', '${A}', 'x'], n: '1' });
  });

  it('rejects excessive nesting and aliases that multiply', () => {
    assert.equal(read(nestedList(100_000)).sound, false);
    assert.deepEqual(faultsOf(nestedList(100_000)), ['0:0  yaml is nested too deeply to be read']);
    const bomb = ['a0: &a0 [1,1,1,1,1,1,1,1,1,1]'];
    for (let at = 1; at < 9; at += 1)
      bomb.push(
        `a${at}: &a${at} [${Array(10)
          .fill(`*a${at - 1}`)
          .join()}]`,
      );
    assert.match(
      faultsOf(bomb.join('\n')).join('\n'),
      /^\d+:\d+ \S+ yaml exceeds the maximum of 100000 values in a document$/,
    );
  });

  it('returns values that share no objects', () => {
    const { a, b } = read('a: &x {c: 1}\nb: *x').value as Record<string, unknown>;
    assert.deepEqual(a, b);
    assert.notEqual(a, b);
  });

  it('locates values and names, and the nearest parent of a missing value', () => {
    const document = read(
      '# first\nserver:\n  tls: { certFile: x }\n  "a/b":\n    - 1\n    -   two\nz: *y\n'.replace('*y', 'q'),
    );
    const at = (pointer: string) => Object.values({ ...document.locate(pointer) }).join(':');
    const key = (pointer: string) => Object.values(document.locateKey(pointer)).join(':');
    assert.deepEqual(
      [
        '',
        '/server',
        '/server/tls',
        '/server/tls/certFile',
        '/server/tls/keyFile/x',
        '/server/a~1b/1',
        '/none',
      ].map(at),
      ['2:1', '3:3', '3:8', '3:20', '3:8', '6:9', '2:1'],
    );
    assert.deepEqual(
      ['', '/server', '/server/tls/certFile', '/server/tls/none', '/server/a~1b', '/z'].map(key),
      ['2:1', '2:1', '3:10', '3:8', '4:3', '7:1'],
    );
    assert.deepEqual(read('').locate('/a'), { line: 1, column: 1 });
    assert.deepEqual(read('a: 1\nb: {c}').locate('/b/c'), { line: 2, column: 5 });
  });

  it('locates every value (property)', () => {
    fc.assert(
      fc.property(tree, (value) => {
        const places = new Map<string, string>();
        const text = writeYaml(value, { lines: [''], places, pointer: '' });
        const document = read(text.join('\n'));
        assert.deepEqual(document.value, value);
        for (const [pointer, place] of places) {
          const { line, column } = document.locate(pointer);
          assert.equal(`${line}:${column}`, place, pointer);
        }
      }),
    );
  });

  it('never throws and never quotes the text (property)', () => {
    const marks = Array.from('{}[]:,"\'#&*!|>%@`-?~\\ \n\t0a$');
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...marks, 'hunter2', '${', '<<'), maxLength: 60 }),
        (text) => {
          for (const { code, message, fix } of read(text).faults)
            // The message may name a missing variable, because names are not secret.
            assert.ok(code === 'env' || !(message + fix).includes('hunter2'), message);
        },
      ),
      { numRuns: 1000 },
    );
  });
});

const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    fc.string().filter((text) => !text.includes('${')),
    fc.integer(),
    fc.boolean(),
    fc.dictionary(
      fc.string().filter((name) => name !== '__proto__'),
      tie('tree'),
      { maxKeys: 4, noNullPrototype: true },
    ),
    fc.array(tie('tree'), { maxLength: 4 }),
  ),
}));

interface YamlOutput {
  readonly lines: string[];
  readonly places: Map<string, string>;
  readonly pointer: string;
}

/** Writes flow YAML over several lines and records the position of each value. */
function writeYaml(value: unknown, { lines, places, pointer }: YamlOutput): string[] {
  const put = (text: string) => lines.push((lines.pop() ?? '') + text);
  places.set(pointer, `${lines.length}:${lines.at(-1)!.length + 1}`);
  if (typeof value !== 'object' || value === null) {
    put(JSON.stringify(value));
    return lines;
  }
  put(Array.isArray(value) ? '[' : '{');
  for (const [key, member] of Object.entries(value)) {
    lines.push(' '.repeat(1 + (key.length % 3)));
    if (!Array.isArray(value)) put(`${JSON.stringify(key)}: `);
    writeYaml(member, { lines, places, pointer: pointerTo(pointer, key) });
    put(',');
  }
  put(Array.isArray(value) ? ']' : '}');
  return lines;
}
