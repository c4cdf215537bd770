import type { TxtNode, TxtParentNode } from '@textlint/ast-node-types';

/** A sentence of a paragraph. Code counts as one word, `CODE`; pictures, HTML and the targets of links are left out. */
interface Sentence {
  readonly text: string;
  /** Returns the offset in the paragraph of a character of the text. */
  readonly offsetOf: (index: number) => number;
}

/** A text up to the end of a sentence: a period, not of an abbreviation, and the beginning of the next sentence. */
const SENTENCE =
  /(?:(?!(?<=(?<!\b(?:e\.g|i\.e|etc|vs|cf))[.!?][)"]*)\s+(?=["(]*(?:[\p{Lu}\d]|gatehouse\b))).)+/gsu;

/** Nodes that are left out of the text. */
const SILENT = ['Image', 'ImageReference', 'Html', 'FootnoteReference'];

/** Line breaks with the marks of a quote, the mark of a note (`[!NOTE]`), and references to footnotes. */
const NOT_TEXT = /\[![A-Z]+\]|\[\^[\w-]+\]|\s*\n[\s>]*/g;

/** Returns the sentences of a paragraph. */
export function sentencesOf(paragraph: TxtParentNode): readonly Sentence[] {
  const offsets: number[] = [];
  let text = '';
  const add = (part: string, offset: number, isSource: boolean): void => {
    text += part;
    for (let at = 0; at < part.length; at += 1) offsets.push(offset + (isSource ? at : 0));
  };
  visit(paragraph);
  return [...text.matchAll(SENTENCE)].flatMap(({ 0: found, index: start }) =>
    countWords(found) === 0
      ? []
      : [{ text: found.trim(), offsetOf: (index) => offsets[start + found.search(/\S/) + index] ?? 0 }],
  );

  function visit(node: TxtNode): void {
    const offset = node.range[0] - paragraph.range[0];
    if (node.type === 'Code') add('CODE', offset, false);
    else if (node.type === 'Break') add(' ', offset, false);
    else if (node.type === 'Str') addText(node.raw, offset);
    else if (!SILENT.includes(node.type) && 'children' in node)
      for (const child of node['children'] as readonly TxtNode[]) visit(child);
  }

  function addText(raw: string, offset: number): void {
    let from = 0;
    for (const { index, 0: found } of raw.matchAll(NOT_TEXT)) {
      add(raw.slice(from, index), offset + from, true);
      if (found.includes('\n')) add(' ', offset + index, false);
      from = index + found.length;
    }
    add(raw.slice(from), offset + from, true);
  }
}

/** Returns the number of words of a text: anything with a letter or a digit. */
export function countWords(text: string): number {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}
