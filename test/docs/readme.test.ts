import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { badgesOf, type BadgeSource, renderBadge } from './badges.js';
import { codeOf, readPage, ROOT, rowsBelow } from './markdown.js';

const readme = readPage('README.md');

/** Returns the bullets above the first heading. */
function bulletsOf(prose: string): readonly string[] {
  const [head = ''] = prose.split('\n## ', 1);
  const bullets = head.split(/^- \*\*/m).slice(1);
  return bullets.map((bullet) => bullet.split('\n\n', 1)[0] ?? '');
}

/** Returns the numbers of a text: `1,000` is 1000. */
function numbersIn(text: string): readonly number[] {
  return [...text.matchAll(/\d[\d,]*/g)].map(([number]) => Number(number.replaceAll(',', '')));
}

describe('README.md', () => {
  it('takes the numbers of each claim from the section of the evidence that it links to', () => {
    const sections = new Map(
      readPage('docs/evidence.md')
        .prose.split(/^### /m)
        .map((section) => [section.split('\n', 1)[0] ?? '', section.split('Measured with', 1)[0] ?? '']),
    );
    const bullets = bulletsOf(readme.prose);
    assert.equal(bullets.length, 6);
    for (const bullet of bullets) {
      const [, group = ''] = /\]\(docs\/evidence\.md#([\w-]+)\)/.exec(bullet) ?? [];
      const measured = numbersIn(sections.get(group) ?? '');
      const claimed = numbersIn(bullet.replaceAll(/\]\([^)]*\)/g, ']'));
      assert.ok(claimed.length >= 2, bullet);
      assert.deepEqual(
        claimed.filter((number) => !measured.includes(number)),
        [],
        `${group}: numbers that the evidence does not have`,
      );
    }
  });

  it('names orchestrators that have an example', () => {
    const [names = ''] = /(?<=orchestrators: ).*?(?=, and \[others\])/s.exec(readme.prose) ?? [];
    const files = readFileSync(join(ROOT, 'config/examples/README.md'), 'utf8').toLowerCase();
    const named = names.split(/,\s+|\s+and\s+/);
    assert.ok(named.length >= 8);
    for (const name of named) assert.ok(files.includes(name.toLowerCase()), name);
  });

  it('shows each badge', () => {
    const shown = [...readme.prose.matchAll(/docs\/images\/badges\/([\w.]+)/g)].map(([, name = '']) => name);
    assert.deepEqual(shown, Object.keys(badgesOf(packageJson())));
  });
});

function packageJson(): BadgeSource {
  return JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as BadgeSource;
}

describe('the badges', () => {
  it('show package.json (UPDATE_GOLDEN=1 writes them)', () => {
    for (const [name, badge] of Object.entries(badgesOf(packageJson()))) {
      const file = join(ROOT, 'docs/images/badges', name);
      if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, renderBadge(badge));
      assert.equal(readFileSync(file, 'utf8'), renderBadge(badge), name);
    }
  });

  it('escape their texts', () => {
    const svg = renderBadge({ label: 'a<b', value: '>=24 & "x"' });
    assert.match(svg, /<title>a&lt;b: &gt;=24 &amp; &quot;x&quot;<\/title>/);
  });
});

describe('the comparison', () => {
  const page = readPage('docs/explanation/comparison.md');
  const features = page.prose
    .split(/^## /m)
    .slice(1)
    .flatMap((section) => {
      const [title = ''] = section.split('\n', 1);
      const rows = rowsBelow(page, `## ${title}`).slice(2);
      return rows.length === 0 ? [] : [{ title, rows }];
    });

  it('compares the same products in each table', () => {
    const products = ['gatehouse', 'Kong', 'KrakenD', 'Traefik', 'Express Gateway', 'Itential'];
    assert.ok(features.length >= 5);
    for (const { title, rows } of features)
      assert.deepEqual(
        rows.map(([product]) => product),
        products,
        title,
      );
  });

  it('has a source for each cell that was checked', () => {
    for (const [product, finding, source = ''] of features.flatMap(({ rows }) => rows)) {
      const test = codeOf(source);
      const isSourced =
        product === 'gatehouse'
          ? test !== undefined && existsSync(join(ROOT, test))
          : /^\[[^\]]+\]\(https:\/\/[^)]+\)$/.test(source);
      assert.equal(isSourced, finding !== 'not checked', `${product ?? ''}: ${source}`);
    }
  });
});
