import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { FORMER_NAMES, ODD_IDIOMS } from './former-names.js';
import { collect, filesBelow, slashed } from './source-files.js';

const FOLDERS = ['src', 'plugins', 'console/src', 'test', 'bench', 'evidence'];

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

  for (const folder of FOLDERS)
    it(`contains odd idioms in at most 4 % of the comments of ${folder}`, () => {
      const comments = files
        .filter(({ path }) => path.startsWith(`${folder}/`))
        .flatMap(({ path, text }) => commentsOf(text).map((comment) => `${path}: ${comment.trim()}`));
      const odd = comments.filter((comment) => ODD_IDIOMS.test(comment.slice(comment.indexOf(': '))));
      assert.ok(
        odd.length <= comments.length * 0.04,
        `${odd.length} of ${comments.length}:\n${odd.join('\n')}`,
      );
    });
});
