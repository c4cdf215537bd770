import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { badgesOf, type BadgeSource, renderBadge } from './badges.js';
import { codeOf, readPage, ROOT, rowsBelow } from './markdown.js';

const readme = readPage('README.md');

function evidence(name: string): unknown {
  return JSON.parse(readFileSync(join(ROOT, 'docs/evidence', `${name}.json`), 'utf8'));
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

interface Rotation extends Readonly<
  Record<'kv' | 'leases' | 'static-role' | 'revocation', { calls: number; failed: object }>
> {
  readonly periodSeconds: number;
}

const rotation = evidence('rotation') as Rotation;
const rotated = [rotation.kv, rotation.leases, rotation['static-role'], rotation.revocation];
const paths = evidence('paths') as { generated: number; generatedEscaped: number };
const crash = evidence('crash') as { crashes: number; acknowledged: number; lost: number };
const { changed } = evidence('audit') as { changed: { changes: number; unnoticed: number } };
const restarts = evidence('restarts') as { reloads: number; restarts: number; calls: number; failed: number };
const { checked, rules } = evidence('yang') as Record<
  'checked' | 'rules',
  { modules: number; agreed: number; disagreed: number }
>;

/** Returns the number of failed calls of a part of the record, which counts them by status. */
function failures({ failed }: { readonly failed: object }): number {
  return sum(Object.values(failed).map(Number));
}

/** The first words of each bullet and its numbers, from the records of the evidence, in the order of the text. */
const BULLETS: readonly (readonly [start: string, numbers: readonly number[]])[] = [
  [
    'Secrets stay in Vault',
    [rotation.periodSeconds, sum(rotated.map(failures)), sum(rotated.map(({ calls }) => calls))],
  ],
  ['Calls stay inside', [paths.generated, paths.generatedEscaped]],
  ['Acknowledged changes survive crashes', [crash.crashes, crash.lost, crash.acknowledged]],
  ['An audit trail', [changed.changes, changed.unnoticed]],
  [
    'Reloads and restarts lose no call',
    [restarts.reloads, restarts.restarts, restarts.failed, restarts.calls],
  ],
  ['Forms come from YANG', [checked.agreed, rules.agreed, rules.modules]],
];

/** Returns the bullets above the first heading, each without the targets of its links. */
function bulletsOf(prose: string): readonly string[] {
  const [head = ''] = prose.split('\n## ', 1);
  const bullets = head.split(/^- \*\*/m).slice(1);
  return bullets.map((bullet) => (bullet.split('\n\n', 1)[0] ?? '').replaceAll(/\]\([^)]*\)/g, ']'));
}

/** Returns the numbers of a text: `1,000` is 1000. */
function numbersIn(text: string): readonly number[] {
  return [...text.matchAll(/\d[\d,]*/g)].map(([number]) => Number(number.replaceAll(',', '')));
}

describe('README.md', () => {
  it('has a bullet for each of its claims, and no other', () => {
    const bullets = bulletsOf(readme.prose);
    assert.equal(bullets.length, BULLETS.length);
    for (const [at, [start]] of BULLETS.entries()) assert.ok(bullets[at]?.startsWith(start), bullets[at]);
  });

  it('takes its numbers from the evidence', () => {
    for (const [at, [start, numbers]] of BULLETS.entries())
      assert.deepEqual(numbersIn(bulletsOf(readme.prose)[at] ?? ''), numbers, start);
    assert.deepEqual([checked.disagreed, rules.disagreed], [0, 0]);
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
  const [head = [], , ...rows] = rowsBelow(readme, '## Compare it');
  const products = head.slice(1);

  it('says the same in README.md and on its page', () => {
    assert.deepEqual(products, ['gatehouse', 'Kong', 'KrakenD', 'Traefik', 'Express Gateway', 'Itential']);
    assert.ok(rows.length >= 5);
    for (const [feature = '', ...cells] of rows)
      assert.deepEqual(
        detailsOf(feature).map(([product, finding]) => [product, finding]),
        products.map((product, at) => [product, cells[at]]),
        feature,
      );
  });

  it('has a source for each cell that was checked', () => {
    for (const [product, finding, source = ''] of rows.flatMap(([feature = '']) => detailsOf(feature))) {
      const test = codeOf(source);
      const isSourced =
        product === 'gatehouse'
          ? test !== undefined && existsSync(join(ROOT, test))
          : /^\[[^\]]+\]\(https:\/\/[^)]+\)$/.test(source);
      assert.equal(isSourced, finding !== 'not checked', `${product ?? ''}: ${source}`);
    }
  });

  function detailsOf(feature: string): readonly (readonly string[])[] {
    return rowsBelow(page, `## ${feature}`).slice(2);
  }
});
