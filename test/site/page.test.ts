import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { anchorOf } from '../../site/src/anchors.js';
import { convertPage, outsideBlocks, titleOf } from '../../site/src/page.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const SOURCE = 'docs/how-to/install.md';

/** The pages of the site in these tests. */
const PAGES = new Map([
  [SOURCE, 'how-to/install.md'],
  ['docs/reference/cli.md', 'reference/cli.md'],
  ['docs/decisions', 'project/decisions/index.md'],
]);

function checkout(): string {
  const root = temporaryFolder().path;
  for (const path of [...PAGES.keys(), 'docs/images/a.png', 'config/examples/cisco-nso.yaml']) {
    const file = path.includes('.') ? path : `${path}/README.md`;
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), '');
  }
  return root;
}

const root = checkout();

function convert(text: string, repository?: string): string {
  const scope = { root, source: SOURCE, pages: PAGES, ...(repository !== undefined && { repository }) };
  const page = convertPage(text, scope, (picture) => `pictures/${picture.split('/').at(-1) ?? ''}`);
  return page.replace(/^---\n.*?\n---\n\n/s, '').trimEnd();
}

describe('a page of the site', () => {
  it('shows its front matter below the title', () => {
    const text =
      '---\naudience: Operators\nprerequisites: A token with `admin`\nminutes: 5\n---\n\n# Install\n\nText.\n';
    assert.equal(
      convert(text),
      [
        '# Install\n',
        '::: info About this page',
        '- **For:** Operators',
        '- **You need:** A token with `admin`',
        '- **Time:** 5 minutes',
        ':::\n',
        'Text.',
      ].join('\n'),
    );
  });

  it('shows neither the marks of code blocks nor other comments', () => {
    const text = '# A\n\n<!-- run -->\n\n```sh\nls # <!-- stays -->\n```\n\n<!--\nnote\n-->\n\nText.';
    assert.equal(convert(text), '# A\n\n```sh\nls # <!-- stays -->\n```\n\nText.');
  });

  for (const [link, converted] of [
    ['[cli](../reference/cli.md#serve)', '[cli](../reference/cli.md#serve)'],
    ['[why](../decisions/)', '[why](../project/decisions/index.md)'],
    ['[below](#below)', '[below](#below)'],
    ['[RFC](https://www.rfc-editor.org/rfc/rfc9457)', '[RFC](https://www.rfc-editor.org/rfc/rfc9457)'],
    ['![A](../images/a.png)', '![A](../pictures/a.png)'],
    ['[the file](../../config/examples/cisco-nso.yaml)', 'the file (`config/examples/cisco-nso.yaml`)'],
    ['[`cisco-nso.yaml`](../../config/examples/cisco-nso.yaml)', '`config/examples/cisco-nso.yaml`'],
    ['[gone](gone.md)', '[gone](gone.md)'],
  ] as const)
    it(`rewrites the link ${link}`, () => {
      assert.equal(convert(link), converted);
    });

  it('links other files to the repository, if it has an address', () => {
    const found = convert('[a](../../config/examples/cisco-nso.yaml)', 'https://git.example/gatehouse');
    assert.equal(found, '[a](https://git.example/gatehouse/blob/main/config/examples/cisco-nso.yaml)');
  });

  it('keeps links and comments in code', () => {
    const text =
      '`[a](../reference/gone.md)`, `<!-- run -->` and ``[`a`](gone.md)`` and\n\n```\n[a](../reference/gone.md)\n```';
    assert.equal(convert(text), text);
  });

  it('has the title of its first heading, without markup', () => {
    assert.equal(titleOf('---\na: "# B"\n---\n\n# Use `serve`\n\n# Second\n'), 'Use serve');
    assert.equal(titleOf('text'), '');
  });

  it('has the anchors of GitHub', () => {
    assert.equal(anchorOf('Use `a.b` & the CLI: step-by-step'), 'use-ab--the-cli-step-by-step');
  });
});

describe('a code block in a page', () => {
  it('is not changed', () => {
    const shout = (text: string) => outsideBlocks(text, (prose) => prose.toUpperCase());
    assert.equal(shout('a\n\n<!-- run -->\n\n```js\nf\n```\ng'), 'A\n\n```js\nf\n```\nG');
  });
});
