import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pagesOf } from '../../site/src/stage.js';
import { BUILT_SITE } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { ROOT } from './markdown.js';

/** Folder of the built documentation site. */
const SITE = join(ROOT, 'docs', '.site');

/** Returns the HTML files of a built site: path in the site and content. */
function readBuiltPages(site: string): ReadonlyMap<string, string> {
  const names = readdirSync(site, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.html'))
    .map((entry) => relative(site, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
  return new Map(names.sort().map((name) => [name, readFileSync(join(site, name), 'utf8')]));
}

describeWith(BUILT_SITE, 'the built documentation site', () => {
  let pages: ReadonlyMap<string, string> = new Map();
  before(() => {
    pages = readBuiltPages(SITE);
  });

  it('has a page for each page of the documentation', () => {
    const wanted = [...new Set(pagesOf(ROOT).values())].map((path) => path.replace(/\.md$/, '.html'));
    assert.ok(wanted.length > 50);
    const wrong = wanted.filter((name) => !pages.has(name));
    assert.deepEqual(wrong, []);
  });

  it('shows no marks of the tests, and loads nothing from other servers', () => {
    for (const [name, html] of pages) {
      const [, content = ''] = html.split('<main');
      assert.doesNotMatch(content, /&lt;!-- (?:run|file|shows|check|tested|needs|sample)\b/, name);
      assert.doesNotMatch(html, /<(?:script|link|img)[^>]* (?:src|href)="(?:https?:)?\/\//, name);
    }
  });

  it('has the pages of the sections in its sidebar', () => {
    assert.match(
      pages.get('index.html') ?? '',
      /<aside class="VPSidebar".*href="\/docs\/guide\/reference\/glossary"/s,
    );
  });
});
