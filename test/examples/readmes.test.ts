import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { followGuides } from '../docs/follow-guides.js';
import { readPage, ROOT } from '../docs/markdown.js';
import { EXAMPLES } from '../docs/settings/examples.js';

followGuides('examples');

// The README.md of each plugin also has blocks that are compared instead of executed.
describe('the examples of plugins', () => {
  for (const path of Object.keys(EXAMPLES)) {
    const { blocks } = readPage(path);

    it(`show the adapter file of the configuration: ${path}`, () => {
      const shown = blocks.find(({ language }) => language === 'yaml')?.text ?? '';
      const [, file = '', text] = /^# (\S+)\n([^]*)$/.exec(shown) ?? [];
      assert.equal(text, readFileSync(join(ROOT, dirname(path), file), 'utf8'));
    });

    it(`start the orchestrator of the examples: ${path}`, () => {
      const [start] = blocks.filter(({ language }) => language === 'sh');
      assert.equal(start?.text, 'node examples/orchestrator/server.js\n');
    });
  }
});
