import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { ROOT } from './source-files.js';

const PAGES = join(ROOT, 'console/src');

/** Attributes whose value a person reads or hears. */
const READ_ATTRIBUTES = /^(?:aria-label|alt|empty|help|label|lead|placeholder|summary|title|verb|what)$/;

/** Words that no language translates: names, methods, header fields and units. */
const UNTRANSLATED =
  /^(?:gatehouse|GET|POST|PUT|PATCH|DELETE|HEAD|JSON|Accept|Content-Type|ms|--help|[\W\d_]*)$/;

/** Examples of code in a placeholder: a URL, a path, a YANG path or JSON. */
const CODE = /^(?:https?:\/\/\S+|\/\S+|rpc:\S+|[{[].*[}\]])$/;

/** Folders of pages whose texts are not in message files yet. A folder without such texts fails. */
const NOT_YET: readonly string[] = [];

describe('the texts of the pages', () => {
  it('are in message files, not in the code', () => {
    const found = readdirSync(PAGES, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.tsx'))
      .flatMap((file) => textsIn(file).map((text) => `${file}: ${text}`));
    const isExpected = (text: string) => NOT_YET.some((folder) => text.startsWith(`${folder}/`));
    assert.deepEqual(
      found.filter((text) => !isExpected(text)),
      [],
    );
    for (const folder of NOT_YET)
      assert.ok(
        found.some((text) => text.startsWith(`${folder}/`)),
        folder,
      );
  });
});

/** Returns the texts in the elements of a file, and in attributes that people read. */
function textsIn(file: string): readonly string[] {
  const source = ts.createSourceFile(
    file,
    readFileSync(join(PAGES, file), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node)) texts.push(node.text.trim());
    if (ts.isJsxAttribute(node) && READ_ATTRIBUTES.test(node.name.getText())) texts.push(literalOf(node));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return texts.filter((text) => !UNTRANSLATED.test(text));
}

/** Returns the words of the value of an attribute: of a string, or of the fixed parts of a template. */
function literalOf({ name, initializer }: ts.JsxAttribute): string {
  if (!initializer) return '';
  const value = ts.isJsxExpression(initializer) ? initializer.expression : initializer;
  if (!value) return '';
  if (ts.isStringLiteralLike(value))
    return name.getText() === 'placeholder' && CODE.test(value.text) ? '' : value.text;
  if (!ts.isTemplateExpression(value)) return '';
  return [value.head.text, ...value.templateSpans.map(({ literal }) => literal.text)].join(' ').trim();
}
