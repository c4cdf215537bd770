import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Context, Suite } from 'mocha';
import type { Page } from 'playwright-core';
import {
  BROWSER_TEST_MS,
  lackOfBrowser,
  type Look,
  openBrowser,
  type TestBrowser,
  type WatchedPage,
} from './browser.js';
import { callUrl } from './call.js';
import { temporaryFolder } from './temporary-folder.js';
import { openWorld, type World, type WorldOptions } from './world.js';

/** The limit of a quarter of a second is by the clock: a machine with much else to do takes longer for the simplest schema. */
const PATIENCE = 'forms: { validateTimeoutMs: 60000 }\n';

export { assertClean } from './browser-words.js';

export interface LookInside extends Look {
  /** True: nobody has signed in. */
  readonly isStranger?: boolean;
  /** Of whoever looks; `admin` when absent. */
  readonly role?: string;
  /** True: the page is made to do what no page may do. */
  readonly mayFault?: boolean;
  /** Done with the page while it is still empty. */
  readonly before?: (page: Page) => Promise<void>;
}

/** A page of the console. */
export interface LookedAt extends WatchedPage {
  /** Leads it to another page. */
  readonly go: (path: string) => Promise<void>;
}

/** The console of a world, looked at with a browser. */
export interface WatchedConsole {
  readonly world: World;
  /** Opens a page of it; somebody with the role `admin` looks, unless the look has another role or token. */
  readonly look: (path: string, look?: LookInside) => Promise<LookedAt>;
  /** Asks the server itself, as `admin`. Throws when the answer is no success. */
  readonly ask: (method: string, path: string, body?: unknown) => Promise<unknown>;
  /** Closes the pages that are open, and asserts that none did what no page may do. */
  closePages(): Promise<void>;
  close(): Promise<void>;
}

/** Skips the tests and says why, where there is nothing to test with. */
export function needBrowser(mocha: Context, lack = lackOfBrowser()): void {
  if (lack === undefined) return;
  process.stderr.write(`  skipped: ${lack}\n`);
  mocha.skip();
}

/** Opens world and browser, or skips the tests and says why. For `before`. */
export async function openConsole(
  mocha: Context,
  arrange?: WorldOptions['arrange'],
): Promise<WatchedConsole> {
  needBrowser(mocha);
  const world = await openWorld({
    folder: temporaryFolder().path,
    arrange: (folder, vault) => {
      appendFileSync(join(folder, 'gatehouse.yaml'), PATIENCE);
      arrange?.(folder, vault);
    },
  });
  return watchedConsole(world, await openBrowser());
}

/**
 * The console of a suite: opened before its tests, its pages closed after each, itself closed after all. For the beginning of
 * `describe`. `fill` makes what all the tests look at.
 */
export function consoleFor(
  suite: Suite,
  {
    arrange,
    fill,
  }: Pick<WorldOptions, 'arrange'> & { readonly fill?: (site: WatchedConsole) => Promise<void> } = {},
): Omit<WatchedConsole, 'close' | 'closePages'> {
  let site: WatchedConsole | undefined;
  const opened = (): WatchedConsole => {
    assert.ok(site, 'the console is open from `before` on');
    return site;
  };
  suite.timeout(BROWSER_TEST_MS);
  before(async function () {
    site = await openConsole(this, arrange);
    await fill?.(site);
  });
  afterEach(() => site?.closePages());
  after(() => site?.close());
  return {
    get world() {
      return opened().world;
    },
    look: (path, look) => opened().look(path, look),
    ask: (method, path, body) => opened().ask(method, path, body),
  };
}

function watchedConsole(world: World, browser: TestBrowser): WatchedConsole {
  const opened = new Map<WatchedPage, boolean>();
  return {
    world,
    async look(path, { isStranger = false, role = 'admin', mayFault = false, before, ...look } = {}) {
      const session = isStranger ? {} : { token: world.mint(role) };
      const looked = await browser.look(world.url, { ...session, ...look });
      opened.set(looked, mayFault);
      const go = async (to: string): Promise<void> => {
        await looked.page.goto(world.url + to);
      };
      await before?.(looked.page);
      await go(path);
      return { ...looked, go };
    },
    async ask(method, path, body) {
      const token = world.mint('admin');
      const { status, json } = await callUrl(world.url + path, {
        method,
        token,
        ...(body !== undefined && { body }),
      });
      assert.ok(status < 300, `${method} ${path}: ${status} ${JSON.stringify(json)}`);
      return json;
    },
    async closePages() {
      const all = [...opened];
      opened.clear();
      await Promise.all(all.map(([{ close }]) => close()));
      const found = all.flatMap(([{ faults }, mayFault]) => (mayFault ? [] : faults));
      assert.deepEqual(found, []);
    },
    async close() {
      await browser.close();
      await world.close();
    },
  };
}
