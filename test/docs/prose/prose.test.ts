import assert from 'node:assert/strict';
import { findingsIn } from './check.js';
import { IDIOMS } from './wording.js';

/** The path of a guide. */
const PATH = 'docs/how-to/rotate-certificates.md';

const MATTER = '---\naudience: Operators\nprerequisites: A node\nminutes: 5\n---\n';
const START = `${MATTER}\n# Rotate certificates\n\n`;

describe('the check of prose', () => {
  for (const [text, finding] of [
    ['A node\nbegins anew.', '9:1: "anew": write again (idioms)'],
    [
      `Short. Long ${'word '.repeat(35).trim()}.`,
      '9:1: a sentence has 36 words, more than 35 (sentence-length)',
    ],
    ['See [A](gone.md).', '9:5: there is no docs/how-to/gone.md (links)'],
    ['See [A](../../ARCHITECTURE.md#cellar).', '9:5: ARCHITECTURE.md has no heading #cellar (links)'],
    ['See [A][gone].', '9:1: [A][gone] has no definition (links)'],
    ['![A](a.png)', '9:1: there is no docs/how-to/a.png (links)'],
    ['Run `npx gatehouse check`.', '9:6: "npx gatehouse" works in a checkout only: write gatehouse (npx)'],
    ['See `node scripts/gone.mjs unit`.', '9:11: there is no scripts/gone.mjs (code-paths)'],
    ['See `src/**/*gone.ts`.', '9:6: there is no src/**/*gone.ts (code-paths)'],
    [
      'Set `queue.concurrent` (default: 65).',
      '9:5: `queue.concurrent` (default: 65): the schema has another default (defaults)',
    ],
    ['Set `queue.size` (default: 1).', '9:5: `queue.size` (default: 1): no such key (defaults)'],
    ['It takes 5 ms.', '9:10: 5 ms: measurements belong in docs/evidence.md (figures)'],
  ] as const)
    it(`reports ${finding}`, async () => {
      const found = await findingsIn(PATH, `${START}${text}\n`);
      assert.ok(found.includes(`${PATH}:${finding}`), found.join('\n'));
    });

  for (const [mark, finding] of [
    ['', '11:1: the code block has no mark; test/docs/marks.ts lists the kinds'],
    ['<!-- ran -->\n\n', '13:1: there is no kind of block "ran"'],
    ['<!-- run: away -->\n\n', '13:1: "away" is not a detail of a block "run"'],
    ['<!-- sample -->\n\n', '13:1: a block "sh" cannot be "sample"'],
    ['<!-- tested: test/docs/marks.ts -->\n\n', '13:1: test/docs/marks.ts does not read the page'],
  ] as const)
    it(`reports ${finding}`, async () => {
      const found = await findingsIn(PATH, `${START}Run it.\n\n${mark}\`\`\`sh\nls\n\`\`\`\n`);
      assert.ok(found.includes(`${PATH}:${finding} (block-marks)`), found.join('\n'));
    });

  for (const [text, finding] of [
    [MATTER.replace('minutes: 5', 'minutes: 0.5'), 'the front matter has no number minutes from 1 to 90'],
    [MATTER.replace('Operators', '" "'), 'the front matter has no text audience'],
    [MATTER.replace('minutes', 'title: x\nminutes'), 'the front matter has an unknown member title'],
    ['Text', 'the page does not begin with a title'],
    ['# Rotate certificates\n\n## First', 'no sentence follows the title'],
  ] as const)
    it(`reports that ${finding}`, async () => {
      const found = await findingsIn(PATH, `${text}\n`);
      assert.ok(found.includes(`${PATH}:1:1: ${finding} (page-form)`), found.join('\n'));
    });

  it('reports pages that the sidebar lacks', async () => {
    const found = await findingsIn('docs/how-to/rotate-nothing.md', START);
    assert.ok(found.some((line) => line.includes('no group of site/src/sections.ts lists the page')));
  });

  it('accepts code, quotes, abbreviations, placeholders and links to other servers', async () => {
    const text = `The text.

> [!NOTE]
> A note of two
> lines. And \`told. anew\` with e.g. Docker, see [the RFC](https://www.rfc-editor.org/rfc/rfc9457).

See \`src/<name>.ts\`, \`dist/src/x.js\`, \`src/**/index.ts\` and [imports](../../ARCHITECTURE.md#imports). Set
\`timeouts.totalMs: 90\` or \`10 ms\`, for 3 nodes. \`queue.concurrent\` (default: 64), \`log.level\` (default: \`info\`).

| A cell tells |
| ------------ |
`;
    assert.deepEqual(await findingsIn(PATH, `${START}${text}`), []);
  });
});

describe('the list of idioms', () => {
  it('has standard words for each expression, and finds it in its example', () => {
    assert.ok(IDIOMS.length > 30);
    const wrong = IDIOMS.filter(({ pattern, instead, example }) => instead === '' || !pattern.test(example));
    assert.deepEqual(wrong, []);
  });
});
