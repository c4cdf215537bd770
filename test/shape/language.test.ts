import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { parseTypeScript } from '../support/parse-typescript.js';
import { filesBelow, slashed } from './source-files.js';

const FOLDERS = ['src', 'plugins', 'console/src', 'demo', 'test', 'bench', 'evidence', 'site/src'];

/** Phrases that name no object or are literal translations. */
const ODD_IDIOMS =
  /\b(?:tells?|told|stands?|stood|whoever|nobody|somebody|anew|call(?:s|ed)? off|hears?|heard|looks? (?:at|for|into) (?:it|them|what)|puts? up with|owned up|takes? no part|serves on|so many|at which|behind (?:it|them|which)|is none|are none|has (?:it|them) (?:done|made)|what is (?:asked|known|told|live|under way)|the way of|by itself|by themselves|for ever|of its own|in vain|goes on|comes? to)\b/i;

const files = FOLDERS.flatMap(filesBelow).map((file) => ({
  path: slashed(file),
  text: readFileSync(file, 'utf8'),
}));

/** Returns the comments of a text, as written. */
function commentsOf(text: string): readonly string[] {
  return [...text.matchAll(/\/\*\*[\s\S]*?\*\/|^\s*\/\/.*$/gm)].map(([comment]) => comment);
}

/** Returns the string literals and templates with more than one word, as written: texts for people, and titles of tests. */
function sentencesOf(text: string, path: string): readonly string[] {
  const file = parseTypeScript(path, text);
  return file.collect((node) => {
    const isText =
      node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string');
    return isText && file.textOf(node).includes(' ') ? file.textOf(node) : undefined;
  });
}

/** Asserts that at most 1 % of the texts in these files contain odd idioms. */
function assertFewOdd(
  sources: typeof files,
  textsOf: (text: string, path: string) => readonly string[],
): void {
  const texts = sources.flatMap(({ path, text }) => textsOf(text, path).map((found) => ({ path, found })));
  const odd = texts.filter(({ found }) => ODD_IDIOMS.test(found));
  const list = odd.map(({ path, found }) => `${path}: ${found.trim()}`).join('\n');
  assert.ok(odd.length <= texts.length * 0.01, `${odd.length} of ${texts.length}:\n${list}`);
}

describe('the language of the sources', () => {
  for (const folder of FOLDERS) {
    const own = files.filter(({ path }) => path.startsWith(`${folder}/`));

    it(`contains odd idioms in at most 1 % of the comments of ${folder}`, () => {
      assertFewOdd(own, commentsOf);
    });

    it(`contains odd idioms in at most 1 % of the sentences in string literals of ${folder}`, () => {
      assertFewOdd(own, sentencesOf);
    });
  }
});
