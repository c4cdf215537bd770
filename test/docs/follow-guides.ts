import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isInstalled } from '../support/is-installed.js';
import { type Block, type Page, readPage, ROOT } from './markdown.js';
import type { OpenSetting } from './installations.js';
import { markOf } from './marks.js';
import { openReader, type Reader } from './reader.js';
import { GROUPS } from './settings/index.js';

/** External programs that the guides call and that the tests do not replace. */
const PROGRAMS = ['bash', 'curl', 'jq', 'openssl'] as const;

const VERBS = { run: 'runs', file: 'is a file', shows: 'shows what is printed' } as const;

/** The time limit of a block, which allows for a busy machine. */
const TIMEOUT_MS = 180_000;

const missing = PROGRAMS.filter((name) => !isInstalled(name)).map((name) => `${name} not installed`);

/** The pages that install the build output. */
const INSTALLING_PAGES: readonly string[] = ['docs/how-to/run-with-systemd.md'];
const notBuilt = existsSync(join(ROOT, 'dist/bin/gatehouse.js')) ? [] : ['dist/ was not built'];

/** Follows each guide of a group. */
export function followGuides(group: keyof typeof GROUPS): void {
  describe('the guides', () => {
    for (const [path, open] of Object.entries(GROUPS[group])) followGuide(readPage(path), open);
  });
}

/**
 * Follows a guide, or some of its blocks, from the first block to the last. A failed block ends the guide, because later blocks would
 * fail for the same reason.
 */
export function followGuide(
  page: Page,
  open: () => Promise<OpenSetting>,
  blocks: readonly Block[] = marked(page),
): void {
  const missingForPage = INSTALLING_PAGES.includes(page.path) ? [...missing, ...notBuilt] : missing;
  const skipNote = missingForPage.length > 0 ? ` (skipped: ${missingForPage.join(', ')})` : '';
  describe(`${page.path}${skipNote}`, function () {
    this.timeout(TIMEOUT_MS);
    let setting: OpenSetting | undefined;
    let reader: Reader | undefined;
    let failed = false;

    before(async function () {
      if (missingForPage.length > 0) this.skip();
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

    for (const block of blocks) {
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

/** Returns the blocks of a page that have a mark. The tests of the marks cover the other blocks. */
export function marked({ blocks }: Page): readonly Block[] {
  return blocks.filter(({ mark }) => mark !== undefined);
}
