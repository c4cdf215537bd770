import type { TxtNode } from '@textlint/ast-node-types';
import { IDIOMS } from './idioms.js';
import { isGuide, type ProseRule } from './rule.js';
import { countWords, sentencesOf } from './sentences.js';

/** Maximum number of words in a sentence. */
const MAX_SENTENCE_WORDS = 35;

/** Maximum number of words in a sentence, on average of a page. */
const MAX_AVERAGE_WORDS = 20;

/** Pages at the root that readers see first. */
const FIRST_PAGES = ['README.md', 'SECURITY.md', 'CONTRIBUTING.md', 'docs/index.md'];

const appliesTo = (path: string): boolean => FIRST_PAGES.includes(path) || isGuide(path);

/** Reports expressions that the documentation does not use. */
export const idioms: ProseRule = {
  name: 'idioms',
  appliesTo,
  check: ({ report }) => ({
    Paragraph(node) {
      for (const { text, offsetOf } of sentencesOf(node))
        for (const { found, index, instead } of idiomsIn(text))
          report(node, `"${found.trim()}": write ${instead}`, offsetOf(index));
    },
  }),
};

/** Returns the parts of a sentence that the documentation does not use, each with the standard words. */
export function idiomsIn(sentence: string) {
  return IDIOMS.flatMap(({ pattern, instead }) => {
    const match = pattern.exec(sentence);
    return match ? [{ found: match[0], index: match.index, instead }] : [];
  });
}

/** Reports long sentences, and pages whose sentences are long on average. */
export const sentenceLength: ProseRule = {
  name: 'sentence-length',
  appliesTo,
  check({ report }) {
    const counts: number[] = [];
    return {
      Paragraph(node) {
        for (const { text, offsetOf } of sentencesOf(node)) {
          const count = countWords(text);
          counts.push(count);
          if (count > MAX_SENTENCE_WORDS)
            report(node, `the sentence has ${count} words, more than ${MAX_SENTENCE_WORDS}`, offsetOf(0));
        }
      },
      'Document:exit': function (node: TxtNode) {
        const average = counts.reduce((sum, count) => sum + count, 0) / Math.max(1, counts.length);
        if (average > MAX_AVERAGE_WORDS)
          report(
            node,
            `sentences have ${average.toFixed(1)} words on average, more than ${MAX_AVERAGE_WORDS}`,
          );
      },
    };
  },
};
