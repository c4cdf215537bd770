import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Block, type Page, readPages, ROOT } from './markdown.js';
import type { OpenSetting } from './installations.js';
import { markOf } from './marks.js';
import { openReader, type Reader } from './reader.js';
import { SETTINGS } from './settings.js';

/** Programs of others that the guides call, and that have no stand-in here. */
const PROGRAMS = ['bash', 'curl', 'jq', 'openssl'] as const;

const VERBS = { run: 'runs', file: 'is a file', shows: 'shows what is printed' } as const;

/** The machine may have much else to do. */
const PATIENCE_MS = 180_000;

const missing = PROGRAMS.filter((name) => spawnSync(name, ['--version']).error !== undefined).map(
  (name) => `${name} not installed`,
);

/** A guide that installs what was built. */
const INSTALLS = 'docs/guides/deploying.md';
const notBuilt = existsSync(join(ROOT, 'dist/bin/gatehouse.js')) ? [] : ['dist/ was not built'];

describe('who follows the guides', () => {
  for (const page of readPages()) {
    const open = SETTINGS[page.path];
    if (open) followed(page, open);
    else leftOut(page);
  }
});

/** A guide from its first block to its last one; what comes after a block that failed would fail for that reason alone. */
function followed(page: Page, open: () => Promise<OpenSetting>): void {
  const lacking = page.path === INSTALLS ? [...missing, ...notBuilt] : missing;
  const without = lacking.length > 0 ? ` (skipped: ${lacking.join(', ')})` : '';
  describe(`${page.path}${without}`, function () {
    this.timeout(PATIENCE_MS);
    let setting: OpenSetting | undefined;
    let reader: Reader | undefined;
    let failed = false;

    before(async function () {
      if (lacking.length > 0) this.skip();
      setting = await open();
      reader = await openReader(setting);
    });

    after(async () => {
      try {
        await reader?.close();
      } finally {
        await setting?.close();
      }
    });

    for (const block of marked(page)) {
      const { kind, detail } = markOf(block);
      if (kind === 'needs') it(`${block.place} needs ${detail}`);
      else if (kind === 'run' || kind === 'file' || kind === 'shows')
        it(`${block.place} ${VERBS[kind]}`, async function () {
          if (failed) this.skip();
          failed = true;
          await reader?.follow(block);
          failed = false;
        });
    }
  });
}

function leftOut(page: Page): void {
  for (const block of marked(page)) {
    const { kind, detail } = markOf(block);
    if (kind === 'needs') it(`${block.place} needs ${detail}`);
  }
}

/** The others are told by the tests of the marks. */
function marked({ blocks }: Page): readonly Block[] {
  return blocks.filter(({ mark }) => mark !== undefined);
}
