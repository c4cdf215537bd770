import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Page, readPages, ROOT } from './markdown.js';

/** The folders whose paths are checked. */
const FOLDERS = ['src', 'test', 'console', 'plugins', 'scripts', 'evidence'];

/**
 * A path inside a code span, for example in `node scripts/test.mjs unit`. A longer path such as
 * `dist/src/...` does not match.
 */
const PATH = new RegExp(`(?<![\\w./@-])(?:${FOLDERS.join('|')})/[^\\s,;:#()'"]*`, 'g');

/**
 * This page is not checked: it is generated from the records in `docs/evidence/`, which name files as they
 * were then.
 */
const GENERATED = 'docs/evidence.md';

const pages = readPages().filter(({ path }) => isChecked(path));

function isChecked(path: string): boolean {
  return path !== GENERATED && path !== 'CHANGELOG.md' && (path.startsWith('docs/') || !path.includes('/'));
}

/** Returns the paths in the code spans of a page, without paths that contain a `<placeholder>`. */
function pathsOf({ prose }: Pick<Page, 'prose'>): readonly string[] {
  const spans = [...prose.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span);
  return spans.flatMap((span) => span.match(PATH) ?? []).filter((path) => !path.includes('<'));
}

/** Returns true if the path exists, or if a pattern with `*` matches at least one file. */
function exists(path: string): boolean {
  if (!path.includes('*')) return existsSync(join(ROOT, path));
  const pattern = patternOf(path);
  const [folder = ''] = path.split('/', 1);
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).some((name) =>
    pattern.test(`${folder}/${name.replaceAll('\\', '/')}`),
  );
}

/**
 * Returns the regular expression of a pattern: `*` matches within one segment, `**` any number of segments.
 */
function patternOf(path: string): RegExp {
  const parts = path.split(/(\*\*\/|\*\*|\*)/).map((part) => {
    if (part === '**/') return '(?:[^/]+/)*';
    if (part === '**') return '.*';
    return part === '*' ? '[^/]*' : part.replaceAll(/[.+?^$()|[\]{}\\]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('')}$`);
}

describe('paths in the documentation', () => {
  it('are found in a plausible number', () => {
    assert.ok(pages.flatMap(pathsOf).length > 150);
    assert.ok(pages.some(({ path }) => path === 'ARCHITECTURE.md'));
    assert.ok(pages.some(({ path }) => path.startsWith('docs/decisions/')));
  });

  for (const page of pages) {
    it(`exist: ${page.path}`, () => {
      assert.deepEqual(
        pathsOf(page).filter((path) => !exists(path)),
        [],
      );
    });
  }

  it('are read from code spans without placeholders', () => {
    const prose =
      'In `src/core/` and `node scripts/test.mjs unit`, not src/http, `src/<name>.ts` or `dist/src/x.js`.';
    assert.deepEqual(pathsOf({ prose }), ['src/core/', 'scripts/test.mjs']);
  });

  it('are reported if they do not exist', () => {
    assert.ok(exists('src/core/*settings.ts') && exists('src/**/index.ts') && exists('src/core/problem.ts'));
    assert.ok(!exists('src/core/*nothing.ts') && !exists('src/core/nothing.ts'));
  });
});
