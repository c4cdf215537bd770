import assert from 'node:assert/strict';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { followGuides } from '../docs/guides/follow-guides.js';
import type { OpenSetting } from '../docs/guides/installations.js';
import { readPage, ROOT } from '../docs/markdown.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startExampleOrchestrator } from './orchestrator.js';

const PAGES = [
  'examples/plugin-minimal/README.md',
  'examples/plugin-typescript/README.md',
  'examples/plugin-with-login/README.md',
];

followGuides(Object.fromEntries(PAGES.map((path) => [path, withExamples])));

/** Copies the examples, and starts their orchestrator. */
async function withExamples(): Promise<OpenSetting> {
  const folder = temporaryFolder().path;
  const orchestrator = await startExampleOrchestrator();
  cpSync(join(ROOT, 'examples'), join(folder, 'examples'), { recursive: true });
  const address = ['http://127.0.0.1:8080', orchestrator.url] as const;
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = join(folder, name);
    if (name.endsWith('.yaml')) writeFileSync(file, readFileSync(file, 'utf8').replaceAll(...address));
  }
  return { folder, env: {}, names: new Map([address]), close: () => orchestrator.close() };
}

// The README.md of each plugin also has blocks that are compared instead of executed.
describe('the README.md of each example of a plugin', () => {
  it('shows the adapter file of the configuration, and starts the orchestrator of the examples', () => {
    for (const path of PAGES) {
      const { blocks } = readPage(path);
      const shown = blocks.find(({ language }) => language === 'yaml')?.text ?? '';
      const [, file = '', text] = /^# (\S+)\n([^]*)$/.exec(shown) ?? [];
      assert.equal(text, readFileSync(join(ROOT, dirname(path), file), 'utf8'), path);
      const start = blocks.find(({ language }) => language === 'sh');
      assert.equal(start?.text, 'node examples/orchestrator/server.js\n', path);
    }
  });
});
