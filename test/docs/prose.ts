import type { Page } from './markdown.js';

/** Stands in for code, so that code counts as one word. */
const CODE = 'CODE';

/** Lines that are no sentences: headings, rows of tables, HTML and containers of VitePress. */
const NOT_PROSE = /^\s*(?:#{1,6} |\||<|:::|\[\^?[\w-]+\]: |[-*_]{3,}\s*$)/;

/** The end of a sentence: not the period of an abbreviation. */
const SENTENCE_END = /(?<=(?<!\b(?:e\.g|i\.e|etc|vs|cf))[.!?][)"*_]*)\s+(?=["(*_]*[\p{Lu}\d])/u;

/** Maximum number of words in a sentence. */
export const MAX_SENTENCE_WORDS = 35;

/** Maximum number of words in a sentence, on average of a page. */
export const MAX_AVERAGE_WORDS = 20;

/** Returns the number of words of a text: anything with a letter or a digit. */
export function countWords(text: string): number {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

/** Returns the sentences of a page, without headings, tables, code and the targets of links. */
export function sentencesOf({ prose }: Pick<Page, 'prose'>): readonly string[] {
  const text = prose.replaceAll(/<!--.*?-->/gs, '').replaceAll(/`+[^`]+`+/g, CODE);
  return paragraphsOf(text).flatMap((paragraph) =>
    withoutMarkup(paragraph)
      .split(SENTENCE_END)
      .map((sentence) => sentence.trim())
      .filter((sentence) => countWords(sentence) > 0),
  );
}

/** Returns the paragraphs and list items of a text, each on one line. */
function paragraphsOf(text: string): readonly string[] {
  const separated = text
    .split('\n')
    .map((line) => (NOT_PROSE.test(line) ? '' : line.replace(/^\s*>+ ?(?:\[![A-Z]+\])?/, '')))
    .map((line) => line.replace(/^\s*(?:[-*+]|\d+\.) +/, '\n\n'))
    .join('\n');
  return separated.split(/\n\s*\n/).map((paragraph) => paragraph.replaceAll(/\s+/g, ' ').trim());
}

function withoutMarkup(text: string): string {
  return text
    .replaceAll(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replaceAll(/\[\^[\w-]+\]/g, '')
    .replaceAll(/\[([^\]]+)\](?:\([^)]*\)|\[[^\]]*\])/g, '$1')
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/\*\*|__/g, '');
}

/** Returns the sentences of a page that are too long, and the average of the page if it is too high. */
export function readabilityFaultsOf(sentences: readonly string[]): readonly string[] {
  const counts = sentences.map(countWords);
  const average = counts.reduce((sum, count) => sum + count, 0) / Math.max(1, counts.length);
  return [
    ...sentences
      .filter((sentence) => countWords(sentence) > MAX_SENTENCE_WORDS)
      .map((sentence) => `${countWords(sentence)} words: ${sentence}`),
    ...(average > MAX_AVERAGE_WORDS ? [`${average.toFixed(1)} words a sentence on average`] : []),
  ];
}
