import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { parse } from 'yaml';
import { adapterFile, mainFile, productionFile } from '../../src/cli/init/init-files.js';
import { formatYaml } from '../../src/config/format.js';
import { writeYaml } from '../../src/config/yaml.js';
import { ROOT } from '../docs/markdown.js';

/** Repeated keys are a fault of the configuration, and not of its form. */
const ANY_KEYS = { uniqueKeys: false };

/** Formats a text that can be formatted. */
function formatted(text: string): string {
  const result = formatYaml(text);
  assert.ok('text' in result, JSON.stringify(result));
  return result.text;
}

function columnsOf(text: string): readonly (readonly [comment: string, column: number])[] {
  return [...text.matchAll(/^( *)(# .*)$/gm)].map(([, blanks = '', comment = '']) => [
    comment,
    blanks.length,
  ]);
}

/** Makes lists of lines: keys at any level, and comments of their levels after them. */
const linesWithComments = fc
  .array(fc.tuple(fc.nat(3), fc.array(fc.nat(3), { maxLength: 3 })), { minLength: 1, maxLength: 8 })
  .map((members) => {
    let open = -1;
    return members.flatMap(([wanted, columns], at) => {
      const level = Math.min(wanted, open + 1);
      const next = Math.min(members[at + 1]?.[0] ?? 0, level + 1);
      open = level;
      // A comment is not right of the key before it, and not left of the key after it.
      const comments = columns.filter((column) => column <= level && column >= next).sort((a, b) => b - a);
      const key = `${'  '.repeat(level)}key${at}:${next > level ? '' : ' 1'}`;
      return [key, ...comments.map((column, one) => `${'  '.repeat(column)}# ${at}.${one}`)];
    });
  });

describe('formatYaml', () => {
  it('indents, keeps comments, quotes and lines, and removes surplus blanks', () => {
    const text = `# top
server:   {listen: 127.0.0.1:3000,   tls: {certFile: 'a.pem'}}   # inline


# of auth
auth:
      local:
           users:
           - {username: "a", roles: [ admin,  engineering ]}
           -   username: b
               roles: [
                 admin ]
      # at the end
`;
    assert.equal(
      formatted(text),
      `# top
server: { listen: 127.0.0.1:3000, tls: { certFile: 'a.pem' } } # inline

# of auth
auth:
  local:
    users:
      - { username: "a", roles: [admin, engineering] }
      - username: b
        roles: [admin]
  # at the end
`,
    );
  });

  it('wraps no long value, and keeps the lines of a folded text', () => {
    const long = `description: ${'word '.repeat(60).trim()}\n`;
    assert.equal(formatted(long), long);
    const folded = `a: >-\n    ${'word '.repeat(40).trim()}\n    more\n\n      deeper\nb: [${'item, '.repeat(30)}last]\n`;
    assert.equal(formatted(folded), folded.replaceAll(/^ {4}/gm, '  '));
  });

  it('keeps numbers, escapes and quotes as they are written', () => {
    const written = [
      'a: 12345678901234567890123',
      'b: 1e3',
      'c: 0x1F',
      'd: [1.10, -0, .5, 007, 1e400]',
      String.raw`e: "\u202e\n"`,
      "f: 'it''s'",
      'g: ~',
      String.raw`"\u00e9": [0o17, "x"]`,
    ];
    assert.equal(formatted(`${written.join('\n').replaceAll(': ', ':   ')}\n`), `${written.join('\n')}\n`);
  });

  it('keeps the ends of lines of Windows', () => {
    assert.equal(formatted('a:\r\n    b:   1\r\n'), 'a:\r\n  b: 1\r\n');
    assert.equal(formatted('a:   1\r\nb: 2\n'), 'a: 1\nb: 2\n');
  });

  it('keeps every comment, or refuses', () => {
    const parts = [
      ...['a:', '- ', '  ', '[', ']', '{', '}', ' # c', '#d', '\n', '\n  ', ',', '|', '>', '"x"', '1'],
      ...['&a ', '*a'],
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 20 }), (written) => {
        const text = `${written.join('')}\n`;
        const result = formatYaml(text);
        if (!('text' in result)) return;
        const hashes = (some: string): number => some.split('#').length;
        assert.equal(hashes(result.text), hashes(text));
        assert.deepEqual(parse(result.text, ANY_KEYS), parse(text, ANY_KEYS));
        assert.equal(formatted(result.text), result.text);
      }),
      { numRuns: 300 },
    );
  });

  for (const [what, text] of [
    ['a scalar that ends in a bracket before a comment', 'a: b[ # c\n'],
    ['a list with a comment', 'a:\n  [\n    b, # first\n    c,\n  ]\n'],
    ['a reference and a variable', 'a: $VAULT_adapters/nso1#password\nb: ${PORT:-3000}\n'],
    ['only comments', '# nothing\n'],
  ] as const)
    it(`keeps ${what}`, () => {
      assert.equal(formatted(formatted(text)), formatted(text));
      assert.deepEqual(parse(formatted(text)), parse(text));
      for (const [comment] of text.matchAll(/#(?= ).*/g))
        assert.ok(formatted(text).includes(comment), comment);
    });

  it('leaves a section in comments at its level, after comments of a section inside', () => {
    const text = `auth:
  local:
    users: []
    # clients: []
  # issuers:
  #   - issuer: https://idp.example

# vault:
#   address: https://vault.example
egress: { allow: [] }
list:
  - a: 1
    # b: 2
  # - a: 3

# log:
#   level: info
`;
    assert.equal(formatted(text), text);
  });

  it('keeps the columns of comments at any levels', () => {
    fc.assert(
      fc.property(linesWithComments, (lines) => {
        const text = `${lines.join('\n')}\n`;
        const once = formatted(text);
        assert.deepEqual(columnsOf(once), columnsOf(text), text);
        assert.equal(formatted(once), once);
      }),
      { numRuns: 50 },
    );
  });

  it('keeps the columns of the comments in what init writes', () => {
    for (const text of [mainFile('$scrypt$'), adapterFile(), productionFile()])
      assert.deepEqual(columnsOf(formatted(text)), columnsOf(text));
  });

  it('writes no blank inside the brackets of lists, and one inside braces', () => {
    for (const [text, expected] of [
      ['a: [ 1,2 ]\n', 'a: [1, 2]\n'],
      ['a: [ [ ], { } ]\n', 'a: [[], {}]\n'],
      ['a: {b: [ 1 ]}\n', 'a: { b: [1] }\n'],
      ['a: [ "[ x ]", \' ]\' ]\n', 'a: ["[ x ]", \' ]\']\n'],
      ['a: [ b, # c\n d ]\n', 'a:\n  [\n    b, # c\n    d\n  ]\n'],
      ['a: [ # c\n d ]\n', 'a:\n  [\n    # c\n    d\n  ]\n'],
    ] as const)
      assert.equal(formatted(text), expected);
  });

  it('keeps literal and folded texts apart', () => {
    const text = 'a: |\n  x\n  y\nb: >\n  x\n  y\nc: |-\n  z\nd: >-\n  z\n';
    assert.equal(formatted(text), text);
    assert.equal(formatted(text.replaceAll('  ', '      ')), text);
  });

  it('keeps a text that holds the name that it uses for scalars', () => {
    const text = 'scalar: scalar0x\nscalarq: [scalar1x, scalarq0x]\n';
    assert.equal(formatted(text), text);
  });

  it('refuses what is not YAML', () => {
    for (const text of ['a: [1\n', 'a: *none\n', '['.repeat(300)])
      assert.deepEqual(formatYaml(text), { fault: 'is not valid YAML; "gatehouse check" says where' });
  });

  it('changes no value, and nothing when it formats again, for any JSON value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const text = writeYaml(value);
        assert.deepEqual(parse(formatted(text)), parse(text));
        assert.equal(formatted(formatted(text)), formatted(text));
      }),
    );
  });

  it('leaves the shipped configurations as they are', () => {
    const folder = join(ROOT, 'config/examples');
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.yaml')) continue;
      const text = readFileSync(join(folder, name), 'utf8');
      assert.equal(formatted(text), text, name);
    }
  });
});
