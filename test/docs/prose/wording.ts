import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../markdown.js';
import { isGuide, type ProseRule } from './rule.js';
import { countWords, sentencesOf } from './sentences.js';

/** Maximum number of words in a sentence. */
const MAX_SENTENCE_WORDS = 35;

/** Pages at the root that readers see first. */
const FIRST_PAGES = ['README.md', 'SECURITY.md', 'CONTRIBUTING.md', 'docs/index.md'];

const appliesTo = (path: string): boolean => FIRST_PAGES.includes(path) || isGuide(path);

/** The expressions that the documentation does not use, in any case, each with the standard words for it and a sentence with it. */
export const IDIOMS = readFileSync(join(ROOT, 'test/docs/prose/idioms.tsv'), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [expression = '', instead = '', example = ''] = line.split('\t');
    return { pattern: new RegExp(expression, 'i'), instead, example };
  });

/** Reports expressions that the documentation does not use. */
export const idioms: ProseRule = {
  name: 'idioms',
  appliesTo,
  check: ({ report }) => ({
    Paragraph(node) {
      for (const sentence of sentencesOf(node))
        for (const { pattern, instead } of IDIOMS) {
          const [found] = pattern.exec(sentence) ?? [];
          if (found !== undefined) report(node, `"${found.trim()}": write ${instead}`);
        }
    },
  }),
};

/** Reports long sentences. */
export const sentenceLength: ProseRule = {
  name: 'sentence-length',
  appliesTo,
  check: ({ report }) => ({
    Paragraph(node) {
      for (const sentence of sentencesOf(node)) {
        const count = countWords(sentence);
        if (count > MAX_SENTENCE_WORDS)
          report(node, `a sentence has ${count} words, more than ${MAX_SENTENCE_WORDS}`);
      }
    },
  }),
};
