import assert from 'node:assert/strict';
import { authSchema } from '../../src/config/auth-schema.js';
import type { JsonSchema } from '../../src/core/schema.js';
import { codeOf, readPage, rowsBelow } from './markdown.js';

interface Node {
  readonly default?: unknown;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly oneOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
}

/** Returns every key of a schema with its default, as `<key> <default>`. */
function keysOf(schema: JsonSchema, prefix = ''): readonly string[] {
  const { properties = {}, required = [], oneOf = [] } = schema as Node;
  const own = Object.entries(properties).flatMap(([name, member]) => {
    const key = prefix + name;
    const below = keysOf(member, `${key}.`);
    return isPlainSection(member) ? below : [`${key} ${presetOf(member, required.includes(name))}`, ...below];
  });
  const variants = oneOf
    .filter((variant) => 'title' in variant)
    .flatMap((variant) => keysOf(variant, prefix));
  return [...new Set([...own, ...variants])].sort();
}

/** Returns true for a section that only groups keys: omitting it means omitting each of its keys. */
function isPlainSection(schema: JsonSchema): boolean {
  const { properties, default: preset } = schema as Node;
  return properties !== undefined && JSON.stringify(preset) === '{}';
}

function presetOf(schema: JsonSchema, isRequired: boolean): string {
  if (isRequired) return 'required';
  const { default: preset } = schema as Node;
  return preset === undefined ? 'none' : JSON.stringify(preset);
}

/** Returns the keys that the tables below the headings document, in the same form. */
function documentedKeys(path: string, isHeading: (heading: string) => boolean): readonly string[] {
  const page = readPage(path);
  return page.prose
    .split('\n')
    .filter((line) => line.startsWith('#') && isHeading(line))
    .flatMap((heading) => rowsBelow(page, heading))
    .flatMap(([key, preset = '']) =>
      codeOf(key) === undefined ? [] : [`${codeOf(key) ?? ''} ${codeOf(preset) ?? preset}`],
    )
    .sort();
}

describe('the tables of configuration keys', () => {
  it('list exactly the keys of a token issuer with their defaults', () => {
    const { properties: { issuers } = {} } = authSchema as Node;
    const { items } = issuers as Node;
    const documented = documentedKeys(
      'docs/guides/tokens.md',
      (heading) => heading === '## Keys of an issuer',
    );
    assert.deepEqual(documented, keysOf(items!));
  });
});
