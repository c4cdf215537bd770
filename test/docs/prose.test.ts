import assert from 'node:assert/strict';
import { IDIOMS, idiomsIn } from './idioms.js';
import { readPages } from './markdown.js';
import { countWords, readabilityFaultsOf, sentencesOf } from './prose.js';
import { isSitePage } from './site-pages.js';

/** Pages at the root that readers see first. */
const ROOT_PAGES = ['README.md', 'SECURITY.md', 'CONTRIBUTING.md', 'docs/index.md'];

const pages = readPages().filter(
  ({ path }) => ROOT_PAGES.includes(path) || (isSitePage(path) && !path.startsWith('docs/reference/')),
);

describe('the prose of the documentation', () => {
  for (const page of pages) {
    const sentences = sentencesOf(page);

    it(`contains no odd idioms: ${page.path}`, () => {
      const found = sentences.flatMap((sentence) =>
        idiomsIn(sentence).map((idiom) => `${idiom} - ${sentence}`),
      );
      assert.deepEqual(found, []);
    });

    it(`has short sentences: ${page.path}`, () => {
      assert.deepEqual(readabilityFaultsOf(sentences), []);
    });
  }
});

describe('the list of idioms', () => {
  for (const [sentence, found] of [
    ['Whoever has the file can sign in.', 'Whoever'],
    ['A failure, one that counts, opens the breaker.', ', one that'],
    ['What the caller sends is validated.', 'What the caller sends is validated.'],
    ['The caller looks for himself.', 'himself'],
    ['The log tells the reason.', 'tells'],
    ['The key stands twice.', 'stands'],
    ['A 500 is none.', 'is none'],
    ['One bad request is no failure.', 'is no'],
    ['The database takes no part.', 'takes no part'],
    ['It begins anew.', 'anew'],
    ['At most so many calls run.', 'so many'],
    ['Calls that are under way end.', 'under way'],
    ['Ten calls run at a time.', 'at a time'],
    ['It does not end for want of use.', 'for want of'],
    ['A call goes behind those that wait.', 'behind'],
    ['The former form is kept.', 'former'],
    ['A client calls off the request.', 'calls off'],
    ['An operator has the adapter restarted.', 'has the adapter restarted'],
    ['A slow client is put up with.', 'put up with'],
    ['Lost lines are owned up to.', 'owned up'],
    ['The endpoint is left alone.', 'left alone'],
    ['The session is put away.', 'put away'],
    ['Calls are turned away.', 'turned away'],
    ['The previous instance serves on.', 'serves on'],
    ['The header goes before the query.', 'goes before'],
    ['This mends the file.', 'mends'],
    ['The change is taken up.', 'taken up'],
    ['The key has no counterpart.', 'counterpart'],
    ['Applications become nothing.', 'become nothing'],
    ['The reply breaks off.', 'breaks off'],
    ['The client hears at once.', 'hears at once'],
    ['A worker that died young waits.', 'died young'],
    ['Other names do no harm.', 'do no harm'],
    ['The main process asks how it fares.', 'fares'],
    ['Something in it computes.', 'Something in it'],
    ['It is as far as it is known correct.', 'as far as it is known'],
    ['The colour of the banner.', 'colour'],
    ['Any licence works.', 'licence'],
    ['This normalises a path.', 'normalises'],
  ] as const)
    it(`finds "${found.trim()}" in "${sentence}"`, () => {
      assert.ok(
        idiomsIn(sentence).some((idiom) => idiom.startsWith(`"${found}"`)),
        idiomsIn(sentence).join('; '),
      );
    });

  for (const sentence of [
    'One of the nodes runs the job, and one adapter is enough.',
    'What is the audit trail?',
    'What to do next.',
    'There is no default, and the key is no longer read.',
    'Restart the nodes one at a time, or one node at a time.',
    'A node behind a load balancer, or behind HAProxy, has trusted proxies.',
    'JWT stands for JSON Web Token; a stand-in is used in tests.',
    'The adapter has a limit that is documented.',
    'The license names the color of the catalog.',
  ])
    it(`permits "${sentence}"`, () => {
      assert.deepEqual(idiomsIn(sentence), []);
    });

  it('names the standard words for each idiom', () => {
    assert.ok(IDIOMS.length > 30);
    assert.deepEqual(
      IDIOMS.filter(({ instead }) => instead === ''),
      [],
    );
  });
});

describe('the sentences of a page', () => {
  const prose = [
    '# A title. With a period.',
    '',
    '> [!NOTE]',
    '> A note of two',
    '> lines. And a second sentence.',
    '',
    'Set `server.listen. To` or [the port](https://example.org/A.%20B) with e.g. Docker, see *this*.',
    '',
    '1. First step',
    '2. Second step:',
    '',
    '| a cell. Another | b |',
    '',
    '![a picture. Of it](x.png)',
    '<!-- hidden. Text -->',
  ].join('\n');

  it('are found without headings, tables, code, pictures and comments', () => {
    assert.deepEqual(sentencesOf({ prose }), [
      'A note of two lines.',
      'And a second sentence.',
      'Set CODE or the port with e.g. Docker, see *this*.',
      'First step',
      'Second step:',
    ]);
  });

  it('have words: anything with a letter or a digit', () => {
    assert.equal(countWords('Set A to 5 - `x.y` or — *z*.'), 7);
  });

  it('are reported if a sentence is too long', () => {
    const long = `${'word '.repeat(36).trim()}.`;
    assert.deepEqual(readabilityFaultsOf(['Short.', 'Short.', long]), [`36 words: ${long}`]);
  });

  it('are reported if they are too long on average', () => {
    const sentences = [21, 20].map((count) => 'word '.repeat(count).trim());
    assert.deepEqual(readabilityFaultsOf(sentences), ['20.5 words a sentence on average']);
    assert.deepEqual(readabilityFaultsOf(sentences.slice(1)), []);
    assert.deepEqual(readabilityFaultsOf([]), []);
  });
});
