import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { parseTypeScript, type SyntaxNode } from '../support/parse-typescript.js';
import { FORMER_NAMES, ODD_IDIOMS } from './former-names.js';
import { filesBelow, slashed } from './source-files.js';

const FOLDERS = ['src', 'plugins', 'console/src', 'demo', 'test', 'bench', 'evidence', 'site/src'];

const files = FOLDERS.flatMap(filesBelow).map((file) => ({
  path: slashed(file),
  text: readFileSync(file, 'utf8'),
}));

/**
 * Returns the names of everything that a file declares: types, functions, variables, parameters and members. A name that
 * is only used is not one of them: an import, a member of an object literal, an access.
 */
function declaredNames(path: string, text: string): readonly string[] {
  return parseTypeScript(path, text)
    .collect((node) => [...('id' in node ? [node.id] : []), ...parametersOf(node), ...memberOf(node)])
    .flat()
    .flatMap((name) => (name?.type === 'Identifier' ? [name.name] : []));
}

function parametersOf(node: SyntaxNode): readonly SyntaxNode[] {
  const caught = node.type === 'CatchClause' && node.param ? [node.param] : [];
  const indexes = node.type === 'TSIndexSignature' ? node.parameters : caught;
  const parameters: readonly SyntaxNode[] = 'params' in node ? node.params : indexes;
  return parameters.map((parameter) => {
    if (parameter.type === 'TSParameterProperty') return parameter.parameter;
    if (parameter.type === 'RestElement') return parameter.argument;
    return parameter.type === 'AssignmentPattern' ? parameter.left : parameter;
  });
}

function memberOf(node: SyntaxNode): readonly SyntaxNode[] {
  if (!('key' in node) || node.type === 'ImportAttribute') return [];
  const isValue = node.type === 'Property' && node.kind === 'init' && !node.method;
  return isValue ? [] : [node.key];
}

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
