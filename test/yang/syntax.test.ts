import assert from 'node:assert/strict';
import fc from 'fast-check';
import { FaultList } from '../../src/yang/diagnostic.js';
import { Budget, DEFAULT_LIMITS } from '../../src/yang/limits.js';
import { parseStatements } from '../../src/yang/syntax/parse-statements.js';
import { childOf, type Statement } from '../../src/yang/syntax/statement.js';

function parse(text: string): { readonly roots: readonly Statement[]; readonly faults: readonly string[] } {
  const faults = new FaultList();
  const budget = new Budget(DEFAULT_LIMITS, () => 0);
  const { roots } = parseStatements({ file: 'm.yang', text }, budget, faults);
  return { roots, faults: faults.list().map(({ line, column, message }) => `${line}:${column} ${message}`) };
}

/** Returns the argument of the only statement; fails if the text has faults. */
function argument(text: string): string | undefined {
  const { roots, faults } = parse(text);
  assert.deepEqual(faults, []);
  return roots[0]?.argument;
}

describe('the YANG parser', () => {
  for (const [what, text, expected] of [
    ['reads an unquoted word', 'a b;', 'b'],
    ['reads a keyword as an argument', 'leaf leaf;', 'leaf'],
    ['keeps double quotes inside single quotes', `a 'say "b"';`, 'say "b"'],
    ['keeps a backslash in single quotes', `a '\\d\\n';`, '\\d\\n'],
    ['decodes the four escapes', 'a "1\\n2\\t3\\"4\\\\5";', '1\n2\t3"4\\5'],
    ['joins strings with a plus', `a "b" + 'c' + "d";`, 'bcd'],
    ['joins strings across lines and comments', `a "b" // one\n + /* two */\n 'c';`, 'bc'],
    ['trims the indentation of further lines', 'a "one\n   two\n     three";', 'one\ntwo\n  three'],
    ['trims spaces before a line break', 'a "one  \t\ntwo";', 'one\ntwo'],
    ['counts a tab as eight columns', '\ta "one\n\t\ttwo";', 'one\n     two'],
    ['reads line ends of two characters', 'a "one\r\n   two";\r\n', 'one\ntwo'],
    ['keeps line breaks in single quotes', `a 'one\n  two';`, 'one\n  two'],
    ['reads no comment in a quoted string', 'a "b//c/*d";', 'b//c/*d'],
    ['ends a word at a comment', 'a b//c\n;', 'b'],
    ['allows slashes in a word', 'a urn:x/y;', 'urn:x/y'],
    ['skips a byte order mark', '\uFEFFa b;', 'b'],
    ['keeps an unknown escape unchanged', 'a "\\*";', '\\*'],
    ['ends a quoted string after an escaped backslash', 'a "b\\\\";', 'b\\'],
  ] as const)
    it(what, () => {
      assert.equal(argument(text), expected);
    });

  it('reports the location of each statement', () => {
    const { roots } = parse('module m {\n  leaf a {\n    type string;\n  }\n}\n');
    const leaf = roots[0] && childOf(roots[0], 'leaf');
    const actual = [leaf?.line, leaf?.column, leaf?.children[0]?.line, leaf?.children[0]?.column];
    assert.deepEqual(actual, [2, 3, 3, 5]);
  });

  it('reports every fault of a text, and continues after each', () => {
    const { roots, faults } = parse('module m {\n  leaf a type string;\n  ;\n  leaf b { type string }\n}}\n');
    assert.deepEqual(faults, [
      '2:10 expected ";" or "{" after "leaf"',
      '3:3 ";" is not a keyword',
      '4:24 expected ";" or "{" after "type"',
      '5:2 a "}" that closes nothing',
    ]);
    const found = roots[0]?.children.map(({ argument: name }) => name);
    assert.deepEqual(found, ['a', 'b']);
  });

  for (const [what, text, expected] of [
    ['a comment that never ends', 'a b; /* c', '1:6 the comment never ends; close it with "*/"'],
    ['a string that never ends', 'a "b;\n}', '1:3 the string never ends; close its quote'],
    [
      'a block that never ends',
      'a b {\n c d;\n',
      '1:1 "a" is never closed; add "}" before the end of the text',
    ],
    ['a plus without a string', 'a "b" + c;', '1:9 a quoted string must follow "+"'],
    [
      'a character that YANG does not allow',
      'a "\u0000";',
      '1:4 the character U+0000 is not allowed in YANG',
    ],
  ] as const)
    it(`refuses ${what}`, () => {
      assert.ok(parse(text).faults.includes(expected), parse(text).faults.join('\n'));
    });

  for (const [what, text, expected] of [
    [
      'one fault at the statement whose "}" is missing, by its indentation',
      'module m {\n  list l {\n    leaf a {\n      type b;\n  }\n  leaf c;\n}\n',
      ['2:3 "list" is never closed; add "}" before "leaf" of line 6'],
    ],
    [
      'the beginning of a string whose closing quote is missing',
      'module m {\n  description "one;\n  contact "two";\n  leaf a;\n}\n',
      [
        '2:15 the string that begins here ends in line 3, and "two\\";" follows; is its closing quote missing?',
      ],
    ],
    [
      'a word that is no keyword at its beginning',
      'module m {\n  <!DOCTYPE a;\n}',
      ['2:3 "<!DOCTYPE" is not a keyword'],
    ],
    ['an unexpected "}" once', 'module m {\n} }\n}', ['2:3 a "}" that closes nothing']],
  ] as const)
    it(`reports ${what}`, () => {
      assert.deepEqual(parse(text).faults, expected);
    });

  it('reads any quoted string back (property)', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', ' ', '\\', '"', "'", '/', '*', '+', ';', '{', '}', '\n', 'é'),
    });
    fc.assert(
      fc.property(text, (value) => {
        const quoted = value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
        assert.equal(argument(`a "${quoted}";`), value);
      }),
    );
  });

  it('ends without an exception for any text (property)', () => {
    const pieces = fc.constantFrom(...`module " ' { } ; /* */ // + \\ a:b é`.split(' '), ' ', '\n');
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
        parse(parts.join(''));
      }),
    );
  });
});
