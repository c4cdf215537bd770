import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readSources, ROOT } from './source-files.js';

/** Folders whose exports are checked, and the other folders that import them. */
const CHECKED = ['src', 'plugins', 'console/src', 'site/src'];
const IMPORTING = ['demo', 'test', 'bench', 'evidence', 'scripts', 'site/.vitepress'];

const NAMED_IMPORT = /(?:import|export)\s(?:type\s)?([^'"`;]*?)\s*from\s*'(\.[^']+)'/g;
/** The build of the task pages replaces `form/model/field/engine.ts` by this module, which therefore has the same exports. */
const REPLACEMENT = 'console/src/task/lazy-engine.ts';
/** A module whose path is in the text in another way: `import()`, `new URL()`, or a text of a script. */
const PATH = /['"`](\.{0,2}[\w./-]+\.(?:js|tsx?))['"`]/g;

const texts = new Map(
  [...CHECKED, ...IMPORTING].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:tsx?|m?js)$/.test(name) && !name.includes('node_modules'))
      .map((name) => join(ROOT, folder, name))
      .map((file) => [file, readFileSync(file, 'utf8')] as const),
  ),
);

/** Returns the source that a module path of a file names; undefined for a file outside the checked folders. */
function sourceOf(from: string, path: string): string | undefined {
  const [base = '', ...others] = [resolve(dirname(from), path), resolve(ROOT, path)].map((file) =>
    file.replace(join(ROOT, 'dist/'), join(ROOT, '/')).replace(/\.jsx?$/, ''),
  );
  const candidates = [base, ...others].flatMap((file) => [file, `${file}.ts`, `${file}.tsx`]);
  return candidates.find((file) => texts.has(file));
}

/** Returns the imported names of each source, or "*" where all of them may be used. */
function importedNames(): ReadonlyMap<string, ReadonlySet<string>> {
  const names = new Map<string, Set<string>>();
  const add = (source: string | undefined, found: readonly string[]): void => {
    if (source !== undefined) names.set(source, new Set([...(names.get(source) ?? []), ...found]));
  };
  for (const [file, text] of texts) {
    for (const [, clause = '', path = ''] of text.matchAll(NAMED_IMPORT)) {
      const members = clause.replaceAll(/[{}]/g, '').split(',');
      const own = members.map(
        (member) =>
          member
            .trim()
            .replace(/^type /, '')
            .split(' as ')[0] ?? '',
      );
      add(sourceOf(file, path), clause.includes('*') ? ['*'] : own);
    }
    for (const [, path = ''] of text.replaceAll(NAMED_IMPORT, '').matchAll(PATH))
      add(sourceOf(file, path), ['*']);
  }
  return names;
}

describe('the exports of the sources', () => {
  it('are imported by another file', () => {
    const imported = importedNames();
    const isImported = (file: string, name: string): boolean =>
      imported.get(file)?.has(name) === true || imported.get(file)?.has('*') === true;
    const unused = readSources(...CHECKED)
      .filter(({ path }) => path !== REPLACEMENT && !path.endsWith('.d.ts'))
      .flatMap(({ path, exports }) =>
        exports.filter((name) => !isImported(join(ROOT, path), name)).map((name) => `${path}: ${name}`),
      );
    assert.ok(texts.size > 2000);
    assert.deepEqual(unused, []);
  });
});
