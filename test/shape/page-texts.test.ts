import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseTypeScript, type ParsedFile, type SyntaxNode } from '../support/parse-typescript.js';
import { ROOT } from './source-files.js';

type JsxAttribute = Extract<SyntaxNode, { readonly type: 'JSXAttribute' }>;

const PAGES = join(ROOT, 'console/src');

/** Attributes whose value a person reads or hears. */
const READ_ATTRIBUTES = /^(?:aria-label|alt|empty|help|label|lead|placeholder|summary|title|verb|what)$/;

/** Words that no language translates: names, methods, header fields and units. */
const UNTRANSLATED =
  /^(?:gatehouse|GET|POST|PUT|PATCH|DELETE|HEAD|JSON|Accept|Content-Type|ms|--help|[\W\d_]*)$/;

/** Examples of code in a placeholder: a URL, a path, a YANG path or JSON. */
const CODE = /^(?:https?:\/\/\S+|\/\S+|rpc:\S+|[{[].*[}\]])$/;

describe('the texts of the pages', () => {
  it('are in message files, not in the code', () => {
    const found = readdirSync(PAGES, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.tsx'))
      .flatMap((file) => textsIn(file).map((text) => `${file}: ${text}`));
    assert.deepEqual(found, []);
  });
});

/** Returns the texts in the elements of a file, and in attributes that people read. */
function textsIn(path: string): readonly string[] {
  const file = parseTypeScript(path, readFileSync(join(PAGES, path), 'utf8'));
  return file
    .collect((node) => {
      if (node.type === 'JSXText') return node.value.trim();
      return node.type === 'JSXAttribute' ? attributeText(file, node) : undefined;
    })
    .filter((text) => !UNTRANSLATED.test(text));
}

/** Returns the words of the value of an attribute that people read: of a string, or of the fixed parts of a template. */
function attributeText({ textOf }: ParsedFile, { name, value }: JsxAttribute): string | undefined {
  if (!value || !READ_ATTRIBUTES.test(textOf(name))) return undefined;
  const text = fixedText(value.type === 'JSXExpressionContainer' ? value.expression : value);
  return textOf(name) === 'placeholder' && CODE.test(text) ? '' : text;
}

function fixedText(value: SyntaxNode): string {
  if (value.type === 'Literal') return typeof value.value === 'string' ? value.value : '';
  return value.type === 'TemplateLiteral'
    ? value.quasis
        .map((part) => part.value.cooked)
        .join(' ')
        .trim()
    : '';
}
