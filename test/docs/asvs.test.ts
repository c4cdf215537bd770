import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';

const ROOT = new URL('../../../', import.meta.url);

/** A requirement of OWASP ASVS 5.0.0 in words of our own, and what comes of it: exactly one of the last three. */
interface Requirement {
  readonly id: string;
  readonly subject: string;
  readonly tests?: readonly { readonly file: string; readonly title: string }[];
  readonly unmet?: string;
  readonly notApplicable?: string;
}

/** How many requirements of level 1 each chapter has. */
const LEVEL_1 = {
  1: 8,
  2: 4,
  3: 8,
  4: 2,
  5: 4,
  6: 13,
  7: 6,
  8: 4,
  9: 4,
  10: 5,
  11: 3,
  12: 3,
  13: 1,
  14: 2,
  15: 3,
};

const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');
const requirements = JSON.parse(read('docs/asvs.json')) as readonly Requirement[];

function page(): string {
  const met = requirements.filter(({ tests }) => tests).length;
  const unmet = requirements.filter((one) => one.unmet).length;
  const rows = requirements.map(
    ({ id, subject, ...outcome }) => `| ${id} | ${subject} | ${words(outcome)} |`,
  );
  return `# OWASP ASVS 5.0

The requirements of level 1 of the Application Security Verification Standard 5.0.0, in our words. ${met} are met, each shown by
tests; ${unmet} are not, or not by gatehouse alone; the other ${requirements.length - met - unmet} do not apply. This page is made of
\`docs/asvs.json\`; a test looks whether every test that it names is there. Levels 2 and 3 are not mapped yet.

| Id | What | How it is met |
| --- | --- | --- |
${rows.join('\n')}
`;
}

function words({ tests, unmet, notApplicable }: Omit<Requirement, 'id' | 'subject'>): string {
  if (unmet !== undefined) return `**Not met.** ${unmet}`;
  if (notApplicable !== undefined) return `Does not apply. ${notApplicable}`;
  return (tests ?? []).map(({ file, title }) => `\`${file}\`: ${title}`).join('; ');
}

describe('the map of OWASP ASVS', () => {
  it('has every requirement of level 1, each once and in order', () => {
    const counts: Record<string, number> = {};
    for (const { id } of requirements) {
      const chapter = id.split('.')[0] ?? '';
      counts[chapter] = (counts[chapter] ?? 0) + 1;
    }
    assert.deepEqual(counts, LEVEL_1);
    const ids = requirements.map(({ id }) => id);
    assert.deepEqual(ids, [...new Set(ids)]);
  });

  for (const { id, tests, unmet, notApplicable } of requirements)
    it(`tells of ${id} which tests show it, or why there are none`, () => {
      assert.equal([tests, unmet, notApplicable].filter((one) => one !== undefined).length, 1);
      assert.notEqual(tests?.length, 0);
      for (const { file, title } of tests ?? []) assert.ok(read(file).includes(title), `${file}: ${title}`);
    });

  it('is on a page (UPDATE_GOLDEN=1 writes it)', () => {
    const plain = (text: string): string => text.replaceAll(/ +/g, ' ').replaceAll(/-{3,}/g, '---');
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(new URL('docs/asvs.md', ROOT), page());
    // The formatter fills the columns of the table.
    assert.equal(plain(read('docs/asvs.md')), plain(page()));
  });
});
