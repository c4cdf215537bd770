import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { marked } from './follow-guides.js';
import { readPages } from './markdown.js';
import { markOf } from './marks.js';
import { GROUPS, SETTINGS } from './settings/index.js';

describe('guides with executed commands', () => {
  it('belong to exactly one group each', () => {
    assert.deepEqual(Object.values(GROUPS).flatMap(Object.keys).sort(), Object.keys(SETTINGS).sort());
  });

  it('exist as pages', () => {
    const paths = readPages().map(({ path }) => path);
    const unknown = Object.keys(SETTINGS).filter((path) => !paths.includes(path));
    assert.deepEqual(unknown, []);
  });

  for (const group of Object.keys(GROUPS))
    it(`are followed by a test file for the group ${group}`, () => {
      const file = group === 'examples' ? '../examples/readmes.test.js' : `follow-guides-${group}.test.js`;
      const text = readFileSync(new URL(file, import.meta.url), 'utf8');
      assert.match(text, new RegExp(`^followGuides\\(["']${group}["']\\);$`, 'm'));
    });
});

describe('guides without executed commands', () => {
  for (const page of readPages().filter(({ path }) => SETTINGS[path] === undefined))
    for (const block of marked(page)) {
      const { kind, detail } = markOf(block);
      if (kind === 'needs') it(`${block.place} needs ${detail}`);
    }
});
