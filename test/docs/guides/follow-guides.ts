import { BASH, BUILT_COMMAND, CURL, JQ, OPENSSL } from '../../support/need-list.js';
import { itWith } from '../../support/needs.js';
import { type Block, readPage, type Page } from '../markdown.js';
import { closeSharedDemo } from './demo.js';
import type { OpenSetting } from './installations.js';
import { openReader } from './reader.js';

/** The external programs that the guides call and that the tests do not replace, and the command of gatehouse. */
const NEEDED = [BASH, CURL, JQ, OPENSSL, BUILT_COMMAND];

/** The time limit of a guide, which allows for a busy machine. */
const TIMEOUT_MS = 400_000;

/** Follows guides: pages, each with the function that opens its initial environment. */
export function followGuides(guides: Readonly<Record<string, () => Promise<OpenSetting>>>): void {
  describe('the guide', () => {
    after(closeSharedDemo);
    for (const [path, open] of Object.entries(guides)) followGuide(readPage(path), open);
  });
}

/** Follows a guide, or some of its blocks, from the first block to the last. */
export function followGuide(
  { path, blocks }: Page,
  open: () => Promise<OpenSetting>,
  chosen: readonly Block[] = blocks,
): void {
  itWith(NEEDED, `${path} works as written`, async function (this: Mocha.Context) {
    this.timeout(TIMEOUT_MS);
    const setting = await open();
    try {
      const reader = await openReader(setting);
      try {
        for (const block of chosen) await reader.follow(block);
      } finally {
        await reader.close();
      }
    } finally {
      await setting.close();
    }
  });
}
