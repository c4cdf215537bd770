import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf, readPage, ROOT } from './markdown.js';

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
      const unknown = claimed.filter((number) => !measured.includes(number));
      assert.deepEqual(unknown, [], `${group}: numbers that the evidence does not have`);
    }
  });

  it('names orchestrators that have an example', () => {
    const [names = ''] = /(?<=orchestrators: ).*?(?=, and \[others\])/s.exec(readme.prose) ?? [];
    const files = readFileSync(join(ROOT, 'config/examples/README.md'), 'utf8').toLowerCase();
    const named = names.split(/,\s+|\s+and\s+/);
    assert.ok(named.length >= 8);
    for (const name of named) assert.ok(files.includes(name.toLowerCase()), name);
  });
});

interface Manifest {
  readonly version: string;
  readonly license: string;
  readonly engines: { readonly node: string };
}

describe('the badges', () => {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest;

  it('show package.json in README.md (UPDATE_GOLDEN=1 writes them)', () => {
    const badges = {
      'version.svg': badge('version', manifest.version),
      'license.svg': badge('license', manifest.license),
      'node.svg': badge('Node.js', manifest.engines.node.replaceAll(' || ', ' | ')),
    };
    for (const [name, text] of Object.entries(badges)) {
      const file = join(ROOT, 'docs/images/badges', name);
      if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, text);
      assert.equal(readFileSync(file, 'utf8'), text, name);
    }
    const shown = [...readme.prose.matchAll(/docs\/images\/badges\/([\w.]+)/g)].map(([, name]) => name);
    assert.deepEqual(shown, Object.keys(badges));
  });
});

/** Returns a badge as an SVG file that loads nothing. */
function badge(label: string, value: string): string {
  // A character of the font is 7 units wide on average.
  const [left, right] = [label.length * 7 + 12, value.length * 7 + 12];
  const text = value.replaceAll('>', '&gt;');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${label}: ${text}">
  <title>${label}: ${text}</title>
  <rect width="${left + right}" height="20" rx="3" fill="#0b57a4"/>
  <path d="M3 0h${left - 3}v20H3a3 3 0 0 1-3-3V3a3 3 0 0 1 3-3z" fill="#3d4650"/>
  <g fill="#fff" text-anchor="middle" font-family="Verdana, DejaVu Sans, sans-serif" font-size="11">
    <text x="${left / 2}" y="14">${label}</text>
    <text x="${left + right / 2}" y="14">${text}</text>
  </g>
</svg>
`;
}

describe('the comparison', () => {
  it('has a source for each cell that was checked', () => {
    const { prose } = readPage('docs/explanation/comparison.md');
    const rows = [...prose.matchAll(/^\| (.*) \|$/gm)].map(([, row = '']) => row.split(' | '));
    const cells = rows
      .map((row) => row.map((cell) => cell.trim()))
      .filter(([name]) => !/^(?:Product|-+)$/.test(name ?? ''));
    assert.ok(cells.length > 30);
    for (const [product, finding, source = ''] of cells) {
      const test = codeOf(source);
      const isSourced =
        product === 'gatehouse'
          ? test !== undefined && existsSync(join(ROOT, test))
          : /^\[[^\]]+\]\(https:\/\/[^)]+\)$/.test(source);
      assert.equal(isSourced, finding !== 'not checked', `${product ?? ''}: ${source}`);
    }
  });
});
