import type { TxtNode, TxtParentNode } from '@textlint/ast-node-types';

/** The end of a sentence: a period, not of an abbreviation, before the beginning of the next sentence. */
const SENTENCE_END = /(?<=(?<!\b(?:e\.g|i\.e|etc|vs|cf))[.!?][)"]*)\s+(?=["(]*(?:[\p{Lu}\d]|gatehouse\b))/u;

/** Nodes that are left out of the text. */
const SILENT = ['Image', 'ImageReference', 'Html', 'FootnoteReference'];

/** Line breaks with the marks of a quote, the mark of a note (`[!NOTE]`), and references to footnotes. */
const NOT_TEXT = /\[![A-Z]+\]|\[\^[\w-]+\]|\s*\n[\s>]*/g;

/** Returns the sentences of a paragraph. Code counts as one word, `CODE`; pictures, HTML and the targets of links are left out. */
export function sentencesOf(paragraph: TxtParentNode): readonly string[] {
  return textOf(paragraph)
    .trim()
    .split(SENTENCE_END)
    .filter((sentence) => countWords(sentence) > 0);
}

function textOf(node: TxtNode): string {
  if (node.type === 'Code') return 'CODE';
  if (node.type === 'Break') return ' ';
  if (node.type === 'Str') return node.raw.replaceAll(NOT_TEXT, (found) => (found.includes('\n') ? ' ' : ''));
  if (SILENT.includes(node.type) || !('children' in node)) return '';
  return (node['children'] as readonly TxtNode[]).map(textOf).join('');
}

/** Returns the number of words of a text: anything with a letter or a digit. */
export function countWords(text: string): number {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}
