import assert from 'node:assert/strict';
import { adapterSchema } from '../../src/config/adapter-schema.js';
import { settingsSchema } from '../../src/config/settings-schema.js';
import { readPages } from './markdown.js';
import { BUNDLED } from './reference/adapter-settings.js';
import { allKeysOf, type Key, keysOf, type Node } from './reference/schema-keys.js';

const pages = readPages().filter(({ path }) => /^docs\/(?:tutorial|how-to|explanation)\//.test(path));

/** The keys of all schemas. Different sections may have keys of the same name. */
const keys: readonly Key[] = [
  ...allKeysOf(settingsSchema),
  ...allKeysOf(adapterSchema),
  ...BUNDLED.flatMap(({ options }) => keysOf(options, 'options.')),
];

/** Matches a key in code font with the default after it. */
const DEFAULT = /`([A-Za-z][\w.]*)`\s+\(default:\s+([^)]+)\)/g;

/** Returns the defaults in a text that differ from the schemas. */
function wrongDefaultsIn(text: string): readonly string[] {
  return [...text.matchAll(DEFAULT)].flatMap(([sentence, name = '', value = '']) => {
    const known = keys.filter((key) => key.name === name);
    if (known.length === 0) return [`${sentence}: no such key`];
    return known.some((key) => defaultTextsOf(key).includes(value.replaceAll('`', ''))) ? [] : [sentence];
  });
}

function defaultTextsOf({ schema }: Key): readonly string[] {
  const { default: preset } = schema as Node;
  if (preset === undefined) return ['none'];
  return [JSON.stringify(preset), ...(typeof preset === 'string' ? [preset] : [])];
}

/** Matches a number with the unit of a measurement. */
const FIGURE =
  /[\d,.]*\d(?:\s|\u00a0)?(?:ms|µs|MB|MiB|KB|kB)\b|[\d,.]*\d\s(?:calls|requests)(?:\/s|\s(?:per|a)\ssecond)\b/g;

/** Returns the figures in a text, except in code spans. */
function figuresIn(text: string): readonly string[] {
  return text.replace(/`[^`]*`/g, '').match(FIGURE) ?? [];
}

describe('defaults in the documentation', () => {
  for (const { path, prose } of pages)
    it(`are those of the schemas: ${path}`, () => {
      assert.deepEqual(wrongDefaultsIn(prose), []);
    });

  it('are checked by a test that reports wrong values and unknown keys', () => {
    const right =
      '`queue.concurrent` (default: 64), `log.level` (default: `info`), `auth.issuers` (default: `[]`)';
    assert.deepEqual(wrongDefaultsIn(`${right}, \`server.publicUrl\` (default: null)`), []);
    assert.deepEqual(wrongDefaultsIn('`requests` (default: null) and `options.sessions` (default: 4)'), []);
    assert.deepEqual(wrongDefaultsIn('`queue.concurrent` (default: 65)'), [
      '`queue.concurrent` (default: 65)',
    ]);
    assert.deepEqual(wrongDefaultsIn('`queue.size` (default: 1)'), [
      '`queue.size` (default: 1): no such key',
    ]);
  });
});

describe('figures in the documentation', () => {
  for (const { path, prose } of pages)
    it(`are measured only in the evidence: ${path}`, () => {
      assert.deepEqual(figuresIn(prose), []);
    });

  it('are checked by a test that reports measurements', () => {
    assert.deepEqual(figuresIn('It takes 5 ms and 80 MB, for 900 calls/s or 12 requests per second.'), [
      '5 ms',
      '80 MB',
      '900 calls/s',
      '12 requests per second',
    ]);
    assert.deepEqual(figuresIn('Set `timeouts.totalMs: 90` or `10 ms`, for 3 nodes and 5 minutes.'), []);
  });
});
