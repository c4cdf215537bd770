import assert from 'node:assert/strict';
import { readDocument } from '../../src/config/document.js';

function faultsOf(text: string): readonly string[] {
  return readDocument({ file: 'a.yaml', text }, undefined).faults.map(
    ({ line, column, message, fix }) => `${line}:${column} ${message}. ${fix}`,
  );
}

const NO_BLANK = 'has a name without a space after its colon. Write a space after the colon.';

describe('faults of lines', () => {
  it('name a colon without a space after it, in blocks and in braces', () => {
    assert.deepEqual(faultsOf('server:\n  listen:127.0.0.1:3443\n  tls: {}\n'), [`2:3 ${NO_BLANK}`]);
    assert.deepEqual(faultsOf('log: { level: info }\nstorage:x\naudit: {}\n'), [`2:1 ${NO_BLANK}`]);
    assert.deepEqual(faultsOf('audit: { file:data/audit.log }\n'), [`1:10 ${NO_BLANK}`]);
    assert.deepEqual(faultsOf('audit:\n  users: [{ name: a, password:hunter2 }]\n'), [`2:22 ${NO_BLANK}`]);
  });

  it('name no address and no list as a name without a space', () => {
    for (const text of [
      'a: [10.0.0.0/8:443, b:1]\n',
      'a: { "b:c": 1 }\n',
      'a:\n  https://b.example\n',
      'a: { b: c:1 }\n',
    ])
      assert.deepEqual(faultsOf(text), [], text);
    assert.doesNotMatch(faultsOf('a:\n  https://b.example\n  c: 1\n').join('\n'), /space after its colon/);
  });

  it('name an equals sign, a missing comma, a text after a quote, and the marks of a merge', () => {
    for (const [text, ...words] of [
      ['server:\n  listen= a\n  tls: {}\n', '2:3 has "=" in place of a colon'],
      ['plugin = restconf\nbaseUrl: https://a\n', '1:1 has "=" in place of a colon'],
      ['server:\n  listen=a\n  tls: {}\n', '2:3 has "=" in place of a colon'],
      ['tls: { certFile: a keyFile: b }\n', '1:18 holds a second ":" before a comma'],
      ['auth: { password: a: b }\n', '1:19 holds a second ":" before a comma'],
      ["a: 'it's'\n", '1:8 has text after a closing quote'],
      ['a: 1\nword\nb: 2\n', '2:1 is a line without ": " before a line with it'],
      [
        'a: 1\n<<<<<<< H\nb: 2\n=======\nb: 3\n>>>>>>> x\n',
        ...[2, 4, 6].map((line) => `${line}:1 is the mark of a merge conflict`),
      ],
    ] as const)
      assert.deepEqual(
        faultsOf(text).map((fault) => fault.slice(0, fault.indexOf('. '))),
        words,
        text,
      );
  });

  it('name the indentations that fit', () => {
    assert.deepEqual(faultsOf('server:\n  listen: a\n tls: {}\n'), [
      '3:2 is indented by 1 space, as no line above it. Indent it by 2 as line 2, or 0 as line 1.',
    ]);
    assert.deepEqual(faultsOf('a:\n    b:\n        c: 1\n      d: 2\n'), [
      '4:7 is indented by 6 spaces, as no line above it. Indent it by 8 as line 3, or 4 as line 2, or 0 as line 1.',
    ]);
  });

  it('name the sibling of another kind', () => {
    assert.deepEqual(faultsOf('auth:\n  - x: 1\n  # c\n  local: {}\n'), [
      '4:3 is a name beside the item of a list on line 2 ("- "). Indent the name below the item that it belongs to, or remove "- " there.',
    ]);
    assert.deepEqual(faultsOf('auth:\n  local: {}\n  - x: 1\n'), [
      '3:3 is an item of a list ("- ") beside the name on line 2. Indent the list below the name that it belongs to, or remove "- ".',
    ]);
  });

  it('name a line that is deeper than one with a whole value, also below blank lines and comments', () => {
    for (const [text, words] of [
      ['a: b\n  c: 1\n', '2:3 is indented deeper than line 1'],
      ['a: b\n\n# c\n\n    d: 1\n', '5:5 is indented deeper than line 1'],
      ['a: "b" # c\n  d: 1\n', '2:3 is indented deeper than line 1'],
    ] as const)
      assert.ok(faultsOf(text)[0]?.startsWith(`${words}, which has its value already. `), text);
    assert.doesNotMatch(faultsOf('a: "b" "c"\n  d: 1\n').join(), /indented deeper/);
  });

  it('leave other faults of a line their own words', () => {
    assert.match(faultsOf('a:\n  b:\n\n  - x\n  c: d: 1\n').join(), /5:6 holds a second ":"/);
    assert.match(faultsOf('a: # none\n- b: c: 1\n').join(), /2:6 holds a second ":"/);
    assert.match(faultsOf('access:\n- a\nlog: b: c\n').join(), /3:6 holds a second ":"/);
    assert.match(faultsOf('server:\n  a: b: c\n').join(), /2:6 holds a second ":"/);
    assert.match(faultsOf('server:\n\ta: b\n').join(), /is indented with a tab/);
  });
});
