import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRequirements, type Requirement, tally } from './asvs-map.js';
import { ROOT } from './markdown.js';

const PAGE = join(ROOT, 'docs', 'asvs.md');
const requirements = readRequirements();

const ofLevel = (level: number): readonly Requirement[] => requirements.filter((one) => one.level === level);

function page(): string {
  const counts = ([1, 2] as const).map((level) => counted(level, ofLevel(level)));
  const unmet = requirements.flatMap(({ id, level, subject, unmet: reason }) =>
    reason === undefined ? [] : [`| ${id} | ${level} | ${subject} | ${reason} |`],
  );
  return `# OWASP ASVS 5.0

The requirements of levels 1 and 2 of the Application Security Verification Standard 5.0.0. A requirement is met if tests show it.
\`docs/asvs.json\` lists every requirement in our words, with its tests or the reason why it does not apply. A test checks that every
listed test exists, and generates this page.

| Level | Requirements | Met | Not met, or not by gatehouse alone | Do not apply |
| --- | --- | --- | --- | --- |
${counts.join('\n')}

## Not met, or not by gatehouse alone

| Id | Level | What | Reason |
| --- | --- | --- | --- |
${unmet.join('\n')}
`;
}

function counted(level: number, group: readonly Requirement[]): string {
  const { met, unmet, notApplicable } = tally(group);
  return `| ${level} | ${group.length} | ${met} | ${unmet} | ${notApplicable} |`;
}

describe('the map of OWASP ASVS', () => {
  it('contains the 70 and 183 requirements of levels 1 and 2, once and in order', () => {
    assert.deepEqual([ofLevel(1).length, ofLevel(2).length], [70, 183]);
    const ids = requirements.map(({ id }) => id);
    const inOrder = [...new Set(ids)].sort((one, other) => one.localeCompare(other, 'en', { numeric: true }));
    assert.deepEqual(ids, inOrder);
  });

  it('lists the existing tests of each requirement or the reason why there are none', () => {
    for (const { id, tests, unmet, notApplicable } of requirements) {
      assert.equal([tests, unmet, notApplicable].filter((one) => one !== undefined).length, 1, id);
      assert.notEqual(tests?.length, 0, id);
      for (const { file, title } of tests ?? []) assert.ok(hasTest(file, title), `${id}: ${file}: ${title}`);
    }
  });

  it('is up to date in docs/asvs.md (UPDATE_GOLDEN=1 writes it)', () => {
    const plain = (text: string): string => text.replaceAll(/ +/g, ' ').replaceAll(/-{3,}/g, '---');
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(PAGE, page());
    // The formatter pads the columns of the table.
    assert.equal(plain(readFileSync(PAGE, 'utf8')), plain(page()));
  });
});

/** Returns true if the file contains the quoted title literally, with the placeholders of variable parts. */
function hasTest(file: string, title: string): boolean {
  const source = readFileSync(join(ROOT, file), 'utf8');
  // A test with needs has the title after them.
  return ["'", '`', '"'].some((quote) =>
    ['(', '[', ', ', ',\n', ' '].some((before) => source.includes(`${before}${quote}${title}${quote},`)),
  );
}
