import assert from 'node:assert/strict';
import { adapterSchema } from '../../src/config/adapter-schema.js';
import { settingsSchema } from '../../src/config/settings-schema.js';
import type { JsonSchema } from '../../src/core/schema.js';
import { codeOf, headingsOf, readPage, rowsBelow } from './markdown.js';

interface Node {
  readonly default?: unknown;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly oneOf?: readonly JsonSchema[];
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
  const path = 'docs/guides/configuring.md';

  it('list exactly the keys of the main file with their defaults', () => {
    const titles = headingsOf(readPage(path));
    const first = titles.indexOf('Keys of the main file');
    const last = titles.indexOf('Adapters');
    const sections = new Set(titles.slice(first, last).map((title) => `### ${title}`));
    assert.deepEqual(
      documentedKeys(path, (heading) => sections.has(heading)),
      keysOf(settingsSchema),
    );
  });

  it('list exactly the keys of an adapter with their defaults', () => {
    const documented = documentedKeys(path, (heading) => heading === '## Adapters').filter(
      (key) => !/^[A-Z]+ /.test(key),
    );
    assert.deepEqual(documented, keysOf(adapterSchema));
  });
});
