import assert from 'node:assert/strict';
import { groupsOf, OTHER, SECTIONS } from '../../site/src/sections.js';
import { type Page, readPages } from './markdown.js';
import { countWords } from './prose.js';
import { COUNTED, isIn, wordsOf } from './site-pages.js';

/** Maximum number of words of a how-to guide, without code blocks. */
const MAX_WORDS = 600;

/** Guides with another maximum. */
const MAX_WORDS_OF: Readonly<Record<string, number>> = { 'docs/how-to/fix-problems.md': 1_000 };

/** Maximum number of words of all pages without the reference, code and tables. */
const MAX_TOTAL = 22_000;

/** The members of the front matter of a page. */
const MEMBERS = ['audience', 'prerequisites', 'minutes'];

const pages = readPages();
const pagesIn = (section: (typeof SECTIONS)[number]['name']) =>
  pages.filter(({ path }) => isIn(section, path));
const slugOf = (path: string) => /([^/]+)\.md$/.exec(path)?.[1] ?? '';

/** Returns what is wrong with the front matter of a page. */
function matterFaultsOf(matter: Page['matter']): readonly string[] {
  const isText = (value: unknown) => typeof value === 'string' && value.trim() !== '';
  const minutes = matter['minutes'];
  return [
    ...MEMBERS.filter((member) => !(member in matter)).map((member) => `${member} is missing`),
    ...Object.keys(matter)
      .filter((member) => !MEMBERS.includes(member))
      .map((member) => `${member} is unknown`),
    ...['audience', 'prerequisites']
      .filter((member) => member in matter && !isText(matter[member]))
      .map((member) => `${member} is no text`),
    ...(minutes === undefined || (Number.isInteger(minutes) && Number(minutes) >= 1 && Number(minutes) <= 90)
      ? []
      : ['minutes is not a number from 1 to 90']),
  ];
}

/** Returns what is wrong with the title of a page and with the text below it. */
function titleFaultsOf({ path, prose }: Pick<Page, 'path' | 'prose'>): readonly string[] {
  const [first = '', second = ''] = prose.trim().split(/\n\n+/, 2);
  const [, title = ''] = /^# (.+)$/.exec(first) ?? [];
  const [verb = ''] = slugOf(path).split('-', 1);
  const isWrongVerb = path.startsWith('docs/how-to/') && title.split(' ', 1)[0]?.toLowerCase() !== verb;
  const faults: readonly (readonly [isFault: boolean, text: string])[] = [
    [title === '', 'the page does not begin with a title'],
    [/[.!?:]$/.test(title), 'the title ends with punctuation'],
    [title.length > 60, 'the title has more than 60 characters'],
    [isWrongVerb, `the title does not begin with the verb of the file name, ${verb}`],
    [/^(?:$|[#|>*\d-]|<!--)/.test(second), 'no sentence follows the title'],
  ];
  return faults.filter(([isFault]) => isFault).map(([, text]) => text);
}

const counts = COUNTED.map((section) => `${section} ${wordsOf(section, pages)}`).join(', ');

describe('the pages of the documentation', () => {
  for (const page of COUNTED.flatMap(pagesIn)) {
    it(`have complete front matter: ${page.path}`, () => {
      assert.deepEqual(matterFaultsOf(page.matter), []);
    });

    it(`begin with a title and a sentence: ${page.path}`, () => {
      assert.deepEqual(titleFaultsOf(page), []);
    });
  }

  for (const { path, prose } of pagesIn('how-to')) {
    const most = MAX_WORDS_OF[path] ?? MAX_WORDS;
    it(`have at most ${most} words: ${path}`, () => {
      const words = countWords(prose);
      assert.ok(words <= most, `${words} words`);
    });
  }

  it(`have at most ${MAX_TOTAL} words in total without tables (${counts})`, () => {
    const total = COUNTED.reduce((sum, section) => sum + wordsOf(section, pages), 0);
    assert.ok(total <= MAX_TOTAL, `${total} words`);
  });

  for (const section of SECTIONS)
    it(`are all in the sidebar, each at its place: ${section.name}`, () => {
      const existing = pagesIn(section.name).map(({ path }) => slugOf(path));
      const groups = groupsOf(section, existing);
      const unlisted = groups.filter(({ title }) => title === OTHER).flatMap((group) => group.pages);
      assert.deepEqual(unlisted, [], 'add the pages to a group in site/src/sections.ts');
      assert.deepEqual(groups.flatMap((group) => group.pages).sort(), existing.sort());
    });
});

describe('the check of front matter', () => {
  it('accepts complete front matter', () => {
    assert.deepEqual(matterFaultsOf({ audience: 'Operators', prerequisites: 'A node', minutes: 5 }), []);
  });

  it('reports missing, unknown and malformed members', () => {
    assert.deepEqual(matterFaultsOf({ audience: ' ', minutes: 0.5, title: 'x' }), [
      'prerequisites is missing',
      'title is unknown',
      'audience is no text',
      'minutes is not a number from 1 to 90',
    ]);
  });
});

describe('the check of titles', () => {
  const path = 'docs/how-to/rotate-certificates.md';

  it('accepts an imperative title with a sentence below it', () => {
    assert.deepEqual(titleFaultsOf({ path, prose: '# Rotate certificates\n\nThe node serves it.\n' }), []);
    assert.deepEqual(titleFaultsOf({ path: 'docs/explanation/x.md', prose: '# Reload\n\nA node.\n' }), []);
  });

  for (const [prose, fault] of [
    ['Rotate certificates\n\nText.', 'the page does not begin with a title'],
    ['# Rotate certificates.\n\nText.', 'the title ends with punctuation'],
    [`# Rotate ${'x'.repeat(60)}\n\nText.`, 'the title has more than 60 characters'],
    ['# Certificates\n\nText.', 'the title does not begin with the verb of the file name, rotate'],
    ['# Rotate certificates\n\n## First\n\nText.', 'no sentence follows the title'],
    ['# Rotate certificates\n\n1. First', 'no sentence follows the title'],
    ['# Rotate certificates', 'no sentence follows the title'],
  ] as const)
    it(`reports: ${fault} (${prose.split('\n').at(-1)})`, () => {
      assert.ok(titleFaultsOf({ path, prose }).includes(fault));
    });
});

describe('the words of a section', () => {
  it('are those of its prose, without tables', () => {
    const page = (path: string, prose: string): Page => ({ path, prose, blocks: [], matter: {} });
    const all = [
      page('docs/how-to/a.md', '# Do it\n\nTwo words\n\n| a | b |\n| - | - |\n\n- three'),
      page('docs/explanation/a.md', 'another'),
    ];
    assert.deepEqual(
      [wordsOf('how-to', all), wordsOf('explanation', all), wordsOf('tutorial', all)],
      [5, 1, 0],
    );
  });
});

describe('the groups of the sidebar', () => {
  const section = {
    ...SECTIONS[0]!,
    groups: [
      { title: 'First', pages: ['b', 'a', 'gone'] },
      { title: 'Empty', pages: ['gone'] },
    ],
  };

  it('have existing pages in their order, and end with pages that no group lists', () => {
    assert.deepEqual(groupsOf(section, ['a', 'b', 'z', 'y']), [
      { title: 'First', pages: ['b', 'a'] },
      { title: OTHER, pages: ['y', 'z'] },
    ]);
  });

  it('list each page once', () => {
    for (const { groups } of SECTIONS) {
      const all = groups.flatMap(({ pages: listed }) => listed);
      assert.equal(new Set(all).size, all.length);
    }
  });
});
