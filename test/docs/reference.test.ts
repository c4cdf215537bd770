import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ISSUE_CODES } from '../../src/core/issue.js';
import { PROBLEMS } from '../../src/core/problem-codes.js';
import { readPage, ROOT } from './markdown.js';
import { REFERENCE_PAGES } from './reference/index.js';
import { FOLDER, textOf } from './reference/page.js';
import { prose } from './reference/write-markdown.js';

const sorted = (texts: Iterable<string>): readonly string[] => [...new Set(texts)].sort();

/** Returns the code in the first cell of each row of the tables of a page. */
const codesOf = (page: string): readonly string[] =>
  [...readPage(`docs/reference/${page}`).prose.matchAll(/^\| `([^`]+)` +\|/gm)].map(([, code = '']) => code);

describe('the reference', () => {
  for (const page of REFERENCE_PAGES)
    it(`contains what the code says in ${page.file} (UPDATE_GOLDEN=1 writes it)`, async () => {
      const file = join(FOLDER, page.file);
      const text = await textOf(page);
      if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, text);
      assert.equal(readFileSync(file, 'utf8'), text);
    });
});

/** Variables that Node.js reads itself. */
const VARIABLES_OF_NODE = ['NODE_EXTRA_CA_CERTS', 'NODE_OPTIONS', 'UV_THREADPOOL_SIZE'];

describe('the reference of environment variables', () => {
  it('lists exactly the variables that the code reads', () => {
    const sources = sourceFiles('src', 'plugins').map((path) => readFileSync(join(ROOT, path), 'utf8'));
    const actual = sorted(codesOf('environment.md').filter((name) => !VARIABLES_OF_NODE.includes(name)));
    assert.deepEqual(actual, sorted([...sources.flatMap(variablesIn), 'VAULT_TOKEN']));
  });

  it('is checked by a test that finds each kind of use', () => {
    const text =
      "env['ONE'] process.env.TWO const { THREE = '', FOUR_5: four } = env; f({ SIX }: Input['env'])";
    assert.deepEqual(variablesIn(text), ['ONE', 'TWO', 'THREE', 'FOUR_5', 'SIX']);
    assert.deepEqual(variablesIn("const { name } = env; codes['ONE']"), []);
  });
});

/** Returns the environment variables that the text reads. `vault.auth.tokenEnv` names a further one. */
function variablesIn(text: string): readonly string[] {
  const members = text.matchAll(/\benv(?:\['|\.)([A-Z][A-Z0-9_]*)\b/g);
  const lists = [...text.matchAll(/\{ ([^{}]*) \}(?: = env\b|: )/g)].map(([, list = '']) => list.split(', '));
  const names = lists.map((parts) => parts.map((part) => /^[A-Z][A-Z0-9_]*(?=$|[: ])/.exec(part)?.[0]));
  return [
    ...[...members].map(([, name = '']) => name),
    ...names.filter((list) => list.every((name) => name !== undefined)).flat(),
  ];
}

describe('the reference of problems', () => {
  const page = readPage('docs/reference/problems.md').prose;
  const problems = Object.entries(PROBLEMS);

  it('lists exactly the codes, with status and title', () => {
    const rows = page.matchAll(/^\| \[`(\w+)`\]\(#\1\) +\| (\d+) +\| (.+?) +\|$/gm);
    const listed = [...rows].map(([, code = '', status = '', title = '']) => `${code} ${status} ${title}`);
    assert.deepEqual(
      listed.sort(),
      problems.map(([code, { status, title }]) => `${code} ${status} ${prose(title)}`).sort(),
    );
  });

  it('has a section for each code, with status and recommendation', () => {
    const sections = new Map(page.split(/^### `/m).map((text) => [text.split('`', 1)[0] ?? '', text]));
    for (const [code, { status, recommendation }] of problems) {
      const section = sections.get(code) ?? '';
      assert.ok(section.startsWith(`${code}\`\n\nStatus ${status}`), `${code}: ${section}`);
      assert.ok(section.includes(`\n\nWhat to do: ${prose(recommendation)}`), `${code}: ${section}`);
    }
  });
});

describe('the reference of secret errors', () => {
  it('lists exactly the codes of the sources', () => {
    const types = ['secrets/secret-error.ts', 'secrets/reference.ts', 'server/state/literal-secrets.ts'];
    const codes = types.flatMap(
      (name) =>
        readFileSync(join(ROOT, 'src', name), 'utf8').match(
          /(?<=')(?:VAULT|FILE|ENC|SECRET)_[A-Z_]+(?=')/g,
        ) ?? [],
    );
    assert.ok(codes.length > 20);
    assert.deepEqual(sorted(codesOf('secret-errors.md')), sorted(codes));
  });
});

describe('the reference of configuration errors', () => {
  it('lists exactly the codes of the sources', () => {
    const found = sourceFiles('src').flatMap((path) =>
      [...readFileSync(join(ROOT, path), 'utf8').matchAll(/\bcode(?::| =) '([a-z][a-z_-]*)'(?! in )/g)].map(
        ([, name = '']) => name,
      ),
    );
    const others: readonly string[] = [...Object.keys(PROBLEMS), ...ISSUE_CODES];
    const codes = found.filter((name) => !others.includes(name));
    assert.deepEqual(sorted(codesOf('configuration-errors.md')), sorted([...codes, 'plugin_failed']));
  });
});

/** Returns the TypeScript files of the folders. */
function sourceFiles(...folders: readonly string[]): readonly string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name)),
  );
}
