import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pagesOf } from '../../site/src/stage.js';
import { BUILT_SITE } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { brokenLinksOf, readBuiltPages, SITE } from './built-site.js';
import { ROOT } from './markdown.js';

describeWith(BUILT_SITE, 'the built documentation site', () => {
  let pages: ReadonlyMap<string, string> = new Map();
  before(() => {
    pages = readBuiltPages(SITE);
  });

  it('has a page for each page of the documentation', () => {
    const wanted = [...new Set(pagesOf(ROOT).values())].map((path) => path.replace(/\.md$/, '.html'));
    assert.ok(wanted.length > 50);
    assert.deepEqual(
      wanted.filter((name) => !pages.has(name)),
      [],
    );
  });

  it('has links to existing pages and headings only', () => {
    const broken = [...pages.keys()].flatMap((name) =>
      brokenLinksOf(name, pages, SITE).map((link) => `${name}: ${link}`),
    );
    assert.deepEqual(broken, []);
  });

  it('has no inline scripts and styles', () => {
    const inline = /<script(?![^>]* src=)|<style|<[a-z][^<>]* (?:style|on[a-z]+)=/;
    for (const [name, html] of pages) assert.doesNotMatch(html, inline, name);
  });

  it('shows no marks of the tests, and loads nothing from other servers', () => {
    for (const [name, html] of pages) {
      const [, content = ''] = html.split('<main');
      assert.doesNotMatch(content, /&lt;!-- (?:run|file|shows|check|tested|needs|sample)\b/, name);
      assert.doesNotMatch(html, /<(?:script|link|img)[^>]* (?:src|href)="(?:https?:)?\/\//, name);
    }
  });

  it('has the pages of the sections in its sidebar', () => {
    const home = pages.get('index.html') ?? '';
    const glossary = readFileSync(join(ROOT, 'docs/reference/glossary.md'), 'utf8');
    assert.match(glossary, /^# Glossary$/m);
    assert.match(home, /<aside class="VPSidebar".*href="\/docs\/guide\/reference\/glossary"/s);
  });
});

describe('the check of links in a built site', () => {
  const site = temporaryFolder().path;
  mkdirSync(join(site, 'a'));
  writeFileSync(join(site, 'x.css'), '');
  const check = (link: string) => {
    const pages = new Map([
      ['index.html', `<a href="${link}">`],
      ['a/b.html', '<h2 id="c d">'],
      ['a/index.html', ''],
    ]);
    return brokenLinksOf('index.html', pages, site);
  };

  it('accepts links to pages, folders, headings, files and other servers', () => {
    const links = ['a/b', 'a/b.html#c%20d', 'a/b#', 'a/', '', 'x.css'].map((link) => `/docs/guide/${link}`);
    assert.deepEqual([...links, './a/b#', 'https://other.example/x'].flatMap(check), []);
  });

  it('reports links to missing pages, headings and files, and to pages outside of the site', () => {
    const links = ['/docs/guide/a/gone', '/docs/guide/a/b#gone', '#gone', '/docs/guide/x.js', '/ui/'];
    assert.deepEqual(links.flatMap(check), links);
  });
});
