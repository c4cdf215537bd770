import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { finishSite, toStrictPage } from '../../site/src/finish.js';
import { temporaryFolder } from '../support/temporary-folder.js';

describe('a strict page', () => {
  it('loads its inline scripts from files that are named after their content', () => {
    const { html, scripts } = toStrictPage(
      '<script id="a">one()</script><script>two(\n"x")</script><script type="module" src="/b.js"></script>',
    );
    const names = [...scripts.keys()];
    assert.deepEqual([...scripts.values()], ['one()', 'two(\n"x")']);
    for (const name of names) assert.match(name, /^inline\.[0-9a-f]{12}\.js$/);
    assert.equal(
      html,
      `<script id="a" src="/docs/guide/assets/${names[0]}"></script>` +
        `<script src="/docs/guide/assets/${names[1]}"></script>` +
        '<script type="module" src="/b.js"></script>',
    );
  });

  it('has no style attributes', () => {
    const { html } = toStrictPage('<div style="position:relative;" class="a"><p>style="x"</p></div>');
    assert.equal(html, '<div class="a"><p>style="x"</p></div>');
  });

  for (const html of [
    '<p class="a" style="color:red">',
    '<style>p {}</style>',
    '<a onclick="go()">',
    '<a href="javascript:go()">',
  ])
    it(`is not made of ${html}`, () => {
      assert.throws(() => toStrictPage(html), /^Error: the policy of the pages blocks /);
    });
});

describe('a finished site', () => {
  function site(html: string): string {
    const folder = temporaryFolder().path;
    mkdirSync(join(folder, 'how-to'));
    writeFileSync(join(folder, 'hashmap.json'), '{}');
    writeFileSync(join(folder, 'how-to', 'install.html'), html);
    return folder;
  }

  it('has compressed copies of its text files, and links the colors of code', () => {
    const folder = site(`<head>\n</head>${'text '.repeat(200)}`);
    finishSite(folder, '.code-1 { color: red }');
    const page = readFileSync(join(folder, 'how-to', 'install.html'));
    const found = String(page);
    assert.match(found, /<link rel="stylesheet" href="\/docs\/guide\/assets\/code\.[0-9a-f]{12}\.css">/);
    assert.deepEqual(gunzipSync(readFileSync(join(folder, 'how-to', 'install.html.gz'))), page);
    assert.deepEqual(readdirSync(folder).sort(), ['assets', 'how-to']);
  });

  it('is not built if a page has content that its policy blocks', () => {
    const folder = site('<p style="color:red">');
    assert.throws(() => {
      finishSite(folder, '');
    }, /install\.html: the policy of the pages blocks <p style=/);
  });
});
