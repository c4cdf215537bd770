import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Suite } from 'mocha';
import type { Page } from 'playwright-core';
import type { Form } from '../../src/features/forms/form-store.js';
import {
  BROWSER_TEST_MS,
  type PageView,
  openBrowser,
  type TestBrowser,
  type WatchedPage,
} from './browser.js';
import { BROWSER, BUILT_PAGES } from './need-list.js';
import { describeWith } from './needs.js';
import type { Route } from './server-calls.js';
import { temporaryFolder } from './temporary-folder.js';
import { startTestServer, type TestServer, type TestServerOptions } from './test-server.js';

/**
 * Raises the validation limit of 250 ms wall time: on a busy machine even the simplest schema takes longer.
 */
const WATCH_TIMEOUT = 'forms: { validateTimeoutMs: 60000 }\n';

export interface LookInside extends PageView {
  /** True for an anonymous visitor. */
  readonly isStranger?: boolean;
  /** Role of the visitor; `admin` when absent. */
  readonly role?: string;
  /** True if faults of the page are expected. */
  readonly mayFault?: boolean;
  /** True if the page stays open until the end of the suite, for later tests. */
  readonly isKept?: boolean;
  /** Called before the first navigation; a page with an initial script has to be fresh. */
  readonly before?: (page: Page) => Promise<void>;
}

export interface LookedAt extends WatchedPage {
  readonly go: (path: string) => Promise<void>;
  /**
   * Navigates like a link of the page: loaded scripts and data are kept. The paths must differ before `?`.
   */
  readonly follow: (path: string) => Promise<void>;
}

/** The console of a test server, opened with a browser. */
export interface WatchedConsole {
  readonly testServer: TestServer;
  /** Opens a page of the console, with the role `admin` unless the options give another role or token. */
  readonly look: (path: string, look?: LookInside) => Promise<LookedAt>;
  /** Sends a request to the server as `admin`. Throws when the reply is not a success. */
  readonly ask: (method: string, path: string, body?: unknown) => Promise<unknown>;
  /** Closes the open pages and asserts that none of them has faults. */
  closePages(): Promise<void>;
  close(): Promise<void>;
}

/** What differs from an ordinary test server. */
type SiteOptions = Pick<TestServerOptions, 'arrange' | 'clock' | 'vaultLines' | 'pluginFolder' | 'adapters'>;

async function openConsole({ arrange, ...options }: SiteOptions = {}): Promise<WatchedConsole> {
  const testServer = await startTestServer({
    folder: temporaryFolder().path,
    ...options,
    arrange: (folder, vault) => {
      appendFileSync(join(folder, 'gatehouse.yaml'), WATCH_TIMEOUT);
      arrange?.(folder, vault);
    },
  });
  return watchedConsole(testServer, await openBrowser());
}

/** Describes tests of the built pages, which are skipped without a browser or without the pages. */
export function describePages(title: string, tests: (this: Suite) => void): void {
  describeWith([BROWSER, BUILT_PAGES], title, tests);
}

/**
 * Sets up the console for a suite: opens it before the tests, closes its pages after each test and the
 * console after all tests. Call it at the beginning of a suite of {@link describePages}. `fill` creates the data that all the tests
 * read.
 */
export function consoleFor(
  suite: Suite,
  {
    fill,
    ...options
  }: SiteOptions & {
    readonly fill?: (site: WatchedConsole) => Promise<void>;
  } = {},
): Omit<WatchedConsole, 'close' | 'closePages'> {
  let site: WatchedConsole | undefined;
  const opened = (): WatchedConsole => {
    assert.ok(site, 'the console is open from `before` on');
    return site;
  };
  suite.timeout(BROWSER_TEST_MS);
  before(async () => {
    site = await openConsole(options);
    await fill?.(site);
  });
  afterEach(() => site?.closePages());
  after(() => site?.close());
  return {
    get testServer() {
      return opened().testServer;
    },
    look: (path, look) => opened().look(path, look),
    ask: (method, path, body) => opened().ask(method, path, body),
  };
}

export async function createForm(ask: WatchedConsole['ask'], form: object): Promise<Form> {
  return ((await ask('POST', '/json-forms/forms', form)) as { readonly doc: Form }).doc;
}

/** Registers an adapter without an orchestrator, unless its settings name one. */
export function registerAdapter(
  ask: WatchedConsole['ask'],
  name: string,
  {
    model = 'http-rest',
    settings = {},
    ...more
  }: {
    readonly model?: string;
    readonly settings?: object;
    readonly tags?: readonly string[];
    readonly brokers?: readonly string[];
  } = {},
): Promise<unknown> {
  const properties = { ...more, properties: { baseUrl: 'https://127.0.0.1:9', ...settings } };
  return ask('POST', '/adapters', { properties: { name, model, properties } });
}

/** Changes the replies to requests whose address matches: `change` gets the body as the server sends it. */
export function changeReplies(
  page: Page,
  address: string | RegExp,
  change: (body: never) => unknown,
): Promise<unknown> {
  return page.route(address, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: change((await response.json()) as never) });
  });
}

function watchedConsole(testServer: TestServer, browser: TestBrowser): WatchedConsole {
  const opened = new Map<WatchedPage, Pick<LookInside, 'mayFault' | 'isKept'>>();
  async function closePages(all: readonly WatchedPage[]): Promise<void> {
    const innocent = all.filter((looked) => opened.get(looked)?.mayFault !== true);
    for (const looked of all) opened.delete(looked);
    await Promise.all(all.map(({ close }) => close()));
    assert.deepEqual(
      innocent.flatMap(({ faults }) => faults),
      [],
    );
  }
  return {
    testServer,
    async look(
      path,
      { isStranger = false, role = 'admin', mayFault = false, isKept = false, before, ...look } = {},
    ) {
      const session = isStranger ? {} : { token: testServer.issueToken(role) };
      const looked = await browser.look(testServer.url, { ...session, ...look });
      opened.set(looked, { mayFault, isKept });
      const go = async (to: string): Promise<void> => {
        await looked.page.goto(testServer.url + to);
      };
      await before?.(looked.page);
      await go(path);
      return { ...looked, go, follow: (to) => follow(looked.page, to) };
    },
    async ask(method, path, body) {
      const { status, text, json } = await testServer.call(`${method} ${path}` as Route, { body });
      assert.ok(status < 300, `${method} ${path}: ${status} ${text}`);
      return json;
    },
    closePages: () => closePages([...opened.keys()].filter((looked) => opened.get(looked)?.isKept !== true)),
    async close() {
      try {
        await closePages([...opened.keys()]);
      } finally {
        await browser.close();
        await testServer.close();
      }
    },
  };
}

/** Changes the address from inside of the page, and waits until the previous page is gone. */
async function follow(page: Page, path: string): Promise<void> {
  const previous = page.locator('[data-former]');
  await page.locator('h1, [role=alert]').first().waitFor();
  await page.evaluate(`(document.querySelector('h1') ?? document.querySelector('[role=alert]')).setAttribute('data-former', '');
    history.pushState(undefined, '', ${JSON.stringify(path)});`);
  await previous.waitFor({ state: 'detached' });
}
