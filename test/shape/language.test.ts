import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { FORMER_NAMES, ODD_IDIOMS } from './former-names.js';
import { collect, filesBelow, slashed } from './source-files.js';

const FOLDERS = ['src', 'plugins', 'console/src', 'demo', 'test', 'bench', 'evidence', 'site/src'];

const files = FOLDERS.flatMap(filesBelow).map((file) => ({
  path: slashed(file),
  text: readFileSync(file, 'utf8'),
}));

/**
 * Returns the names of everything that a file declares: types, functions, variables, parameters and members.
 */
function declaredNames(path: string, text: string): readonly string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  return collect(source, (node) => {
    const { name } = node as ts.NamedDeclaration;
    return name && ts.isIdentifier(name) && isDeclared(node) ? name.text : undefined;
  });
}

/**
 * Returns false for a node that only uses a name declared elsewhere: an import, a member of an object
 * literal, an access.
 */
function isDeclared(node: ts.Node): boolean {
  return (
    ts.isTypeElement(node) ||
    ts.isClassElement(node) ||
    ts.isParameter(node) ||
    ts.isVariableDeclaration(node) ||
    (ts.isDeclarationStatement(node) && !ts.isImportDeclaration(node))
  );
}

/** Returns the comments of a text, as written. */
function commentsOf(text: string): readonly string[] {
  return [...text.matchAll(/\/\*\*[\s\S]*?\*\/|^\s*\/\/.*$/gm)].map(([comment]) => comment);
}

/** Returns the string literals and templates with more than one word, as written: texts for people, and titles of tests. */
function sentencesOf(text: string, path: string): readonly string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  return collect(source, (node) => {
    const isText = ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
    return isText && node.getText().includes(' ') ? node.getText() : undefined;
  });
}

/** Asserts that at most a fraction of the texts in these files contains odd idioms. */
function assertFewOdd(
  sources: typeof files,
  textsOf: (text: string, path: string) => readonly string[],
  maxFraction: number,
): void {
  const texts = sources.flatMap(({ path, text }) => textsOf(text, path).map((found) => ({ path, found })));
  const odd = texts.filter(({ found }) => ODD_IDIOMS.test(found));
  const list = odd.map(({ path, found }) => `${path}: ${found.trim()}`).join('\n');
  assert.ok(odd.length <= texts.length * maxFraction, `${odd.length} of ${texts.length}:\n${list}`);
}

describe('the language of the sources', () => {
  it('contains no former names in declarations', () => {
    // Parsing all files takes seconds. Only a few files contain such a word.
    const word = new RegExp(`\\b(?:${[...FORMER_NAMES].join('|')})\\b`);
    const wrong = files
      .filter(({ text }) => word.test(text))
      .flatMap(({ path, text }) =>
        [...new Set(declaredNames(path, text))]
          .filter((name) => FORMER_NAMES.has(name))
          .map((name) => `${path}: ${name}`),
      );
    assert.deepEqual(wrong, []);
  });

  for (const folder of FOLDERS) {
    const own = files.filter(({ path }) => path.startsWith(`${folder}/`));

    it(`contains odd idioms in at most 1 % of the comments of ${folder}`, () => {
      assertFewOdd(own, commentsOf, 0.01);
    });

    it(`contains odd idioms in at most 4 % of the sentences in string literals of ${folder}`, () => {
      assertFewOdd(own, sentencesOf, ['bench', 'evidence'].includes(folder) ? 0.04 : 0.01);
    });
  }
});
