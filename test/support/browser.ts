import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import {
  type Browser,
  type BrowserContext,
  chromium,
  type LaunchOptions,
  type Locator,
  type Page,
} from 'playwright-core';
import { freePort } from './free-port.js';
import { findBrowser } from './need-list.js';

const CHROMIUM = findBrowser();

/** Mocha's limit for tests with a browser: a machine with much else to do must not fail them. */
export const BROWSER_TEST_MS = 300_000;

/**
 * Time limit of one action, of one wait, and of the start of the browser. Only failures take this long;
 * passing steps end within a moment.
 */
const ACTION_MS = 90_000;

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // The pages of one profile share a process, which keeps what it has compiled.
  '--process-per-site',
  // A document of a test ends before optimized code is worth its compilation.
  '--js-flags=--no-maglev --no-turbofan',
  '--disable-site-isolation-trials',
];

/** Options for opening a page. */
export interface PageView {
  /** Token for the session cookie; absent for an anonymous visitor. */
  readonly token?: string;
  readonly theme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
  /** Device pixels per CSS pixel; 1 when absent. */
  readonly scale?: number;
  /** True for system colors, as in high-contrast mode. */
  readonly isForced?: boolean;
  /** View of forms that the user chose before: the table by default; `none` for a user who chose nothing. */
  readonly formView?: 'form' | 'table' | 'none';
  /** Language that the user chose before. */
  readonly language?: 'de' | 'en' | 'ja';
  /** True for a page that no later test uses, because its scripts or its CDP sessions cannot be removed. */
  readonly isFresh?: boolean;
}

/** A page whose faults are recorded. */
export interface WatchedPage {
  readonly page: Page;
  /**
   * Faults of the page: console errors, violations of the content security policy, requests to other servers.
   */
  readonly faults: readonly string[];
  readonly close: () => Promise<void>;
}

/** A browser for tests that records the faults of its pages. */
export interface TestBrowser {
  readonly version: string;
  /** Opens an empty page for the server at `url`, with an empty browser profile. */
  look(url: string, look?: PageView): Promise<WatchedPage>;
  readonly close: () => Promise<void>;
}

/** Names the browser that the test runner started for all test files. */
export const SHARED_BROWSER = 'GATEHOUSE_TEST_BROWSER';

const LAUNCH: LaunchOptions = {
  ...(CHROMIUM !== undefined && { executablePath: CHROMIUM }),
  headless: true,
  args: FLAGS,
  timeout: ACTION_MS,
};

/** Starts a browser that other processes connect to. Returns the URL of its DevTools protocol. */
export async function launchSharedBrowser() {
  const port = await freePort();
  const server = await chromium.launchServer({
    ...LAUNCH,
    args: [...FLAGS, `--remote-debugging-port=${port}`],
  });
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

/** Connects to the shared browser, or starts a private browser. */
export async function openBrowser(): Promise<TestBrowser> {
  const shared = process.env[SHARED_BROWSER];
  const browser = await (shared === undefined
    ? chromium.launch(LAUNCH)
    : chromium.connectOverCDP(shared, { isLocal: true }));
  const contexts = createContexts(browser);
  return {
    version: browser.version(),
    look: (url, look = {}) => watch(contexts, url, look),
    close: () => browser.close(),
  };
}

const recorded = new WeakMap<Page, readonly string[]>();

/** Returns the faults that were recorded of a page; none of a page that a test has opened itself. */
export function faultsOf(page: Page): readonly string[] {
  return recorded.get(page) ?? [];
}

const forced = new WeakSet<Page>();

/** Returns whether a page was opened with the colors of the system. */
export function isForcedIn(page: Page): boolean {
  return forced.has(page);
}

async function watch(contexts: Contexts, url: string, look: PageView): Promise<WatchedPage> {
  const { token, theme = 'light', width = 1440, height = 900, scale = 1, isForced = false } = look;
  const site = await contexts.take(url, scale);
  const { context } = site;
  if (token !== undefined)
    await context.addCookies([{ name: 'token', value: token, url, httpOnly: true, sameSite: 'Strict' }]);
  await site.page.evaluate(chosenSettings(look));
  if (look.isFresh === true) await openEmptyDocument(site);
  const page = look.isFresh === true ? await context.newPage() : site.page;
  await page.setViewportSize({ width, height });
  await page.emulateMedia({
    media: null,
    colorScheme: theme,
    forcedColors: isForced ? 'active' : 'none',
    // Disables animations: assertions need a page that no longer changes.
    reducedMotion: 'reduce',
  });
  recorded.set(page, site.faults);
  if (isForced) forced.add(page);
  else forced.delete(page);
  let closed: Promise<void> | undefined;
  // Returns the profile only once; a second return would lend it to two tests at the same time.
  return { page, faults: site.faults, close: () => (closed ??= contexts.giveBack(site)) };
}

/** Returns a script that remembers what the user chose: a view for forms of any size, and a language. */
function chosenSettings({ formView = 'table', language }: PageView): string {
  const view = `for (const size of ['short', 'long']) localStorage['gatehouse.form-view.' + size] = '${formView}';`;
  const ofLanguage = language === undefined ? '' : `localStorage['gatehouse.language'] = '${language}';`;
  return (formView === 'none' ? '' : view) + ofLanguage;
}

/** A browser profile for the pages of one server, and the page that the tests use in turn. */
interface Site {
  readonly context: BrowserContext;
  readonly origin: string;
  readonly scale: number;
  /** Stays open, so that its process and what the process has loaded and compiled stay. */
  readonly page: Page;
  faults: string[];
}

/**
 * Pool of browser profiles. Profiles and their pages are reused: a new profile loads and compiles the same scripts
 * again, and a page load costs a new page nearly twice as much.
 */
interface Contexts {
  take(url: string, scale: number): Promise<Site>;
  /** Silences the page, closes the other pages, and forgets cookies, storage, permissions and listeners. */
  giveBack(site: Site): Promise<void>;
}

function createContexts(browser: Browser): Contexts {
  const idle: Site[] = [];
  return {
    async take(url, scale) {
      const { origin } = new URL(url);
      const at = idle.findIndex((site) => site.origin === origin && site.scale === scale);
      const [site] = at < 0 ? [] : idle.splice(at, 1);
      if (!site) return openTestSite(browser, origin, scale);
      await site.context.setOffline(false);
      return site;
    },
    async giveBack(site) {
      const { context, page } = site;
      // Requests that the page gives up when it is left are no faults of the next test.
      site.faults = [];
      await Promise.all(
        context
          .pages()
          .filter((one) => one !== page)
          .map((one) => one.close()),
      );
      for (const event of ['request', 'response', 'dialog', 'console'] as const)
        page.removeAllListeners(event);
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await silence(site);
      await context.clearCookies();
      await context.clearPermissions();
      site.faults = [];
      idle.push(site);
    },
  };
}

async function openTestSite(browser: Browser, origin: string, scale: number): Promise<Site> {
  const context = await browser.newContext({ deviceScaleFactor: scale, locale: 'en-US' });
  context.setDefaultTimeout(ACTION_MS);
  const site: Site = { context, origin, scale, page: await context.newPage(), faults: [] };
  await openEmptyDocument(site);
  await collectFaults(site);
  return site;
}

/**
 * A console that fails to load a script reloads when a request is answered again. The requests of this document never end,
 * so that it does not reload in the next test.
 */
const SILENCED = `window.fetch = () => new Promise(() => undefined);
  localStorage.clear();
  sessionStorage.clear();
  Storage.prototype.setItem = () => undefined;`;

/**
 * Ends what the page does without leaving it: a page load is cheaper while the document before still holds the scripts.
 * The document can reach no server and can store nothing, also when it is left.
 */
async function silence(site: Site): Promise<void> {
  await site.context.setOffline(true);
  // Nothing is below the mouse when the next page opens.
  await site.page.mouse.move(0, 0);
  try {
    await site.page.evaluate(SILENCED);
  } catch {
    // The document has no storage, for example because its load failed.
    await openEmptyDocument(site);
    await site.page.evaluate('localStorage.clear(); sessionStorage.clear()');
  }
}

/** Opens a document without content, which can read and write the storage of the origin. */
async function openEmptyDocument({ page, origin }: Pick<Site, 'page' | 'origin'>): Promise<void> {
  await page.route(origin, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>empty</title>' }),
  );
  await page.goto(origin);
  await page.unrouteAll();
}

async function collectFaults(site: Site): Promise<void> {
  const { context, origin } = site;
  await context.exposeFunction('reportBrokenPolicy', (text: string) => site.faults.push(`policy: ${text}`));
  await context.addInitScript(`document.addEventListener('securitypolicyviolation', (event) => {
    window.reportBrokenPolicy(event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sourceFile);
  });`);
  context.on('console', (message) => {
    // The browser logs every reply of 400 and above as an error; the page shows these itself.
    const isAnswer = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isAnswer) site.faults.push(`console: ${message.text()}`);
  });
  context.on('weberror', (error) => site.faults.push(`uncaught: ${error.error().message}`));
  context.on('request', (request) => {
    const isOwn = request.url().startsWith(`${origin}/`) || /^(?:data|blob):/.test(request.url());
    if (!isOwn) site.faults.push(`request: ${request.url()}`);
  });
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Rules of WCAG 2.0 to 2.2, levels A and AA. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa'];

/** Rules whose result depends on the theme. */
const COLOR_RULES = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** The library in the page. */
interface Axe {
  run(root: unknown, options: object): Promise<{ readonly violations: readonly Violation[] }>;
}

/**
 * Returns the accessibility violations that axe finds in an element in its current state, one line for each place.
 *
 * @param element - `page.locator('html')` for the whole page.
 * @param isOnlyColors - True if only the theme differs from a state that was checked before.
 */
export async function accessibilityFaults(
  element: Locator,
  isOnlyColors = false,
  rules: object = isOnlyColors ? COLOR_RULES : RULES,
): Promise<readonly string[]> {
  const page = element.page();
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(axe);
  // A color in the middle of a transition is the color of neither theme.
  await page.evaluate(
    `document.getAnimations().forEach((one) => { if (one instanceof CSSTransition) one.finish(); })`,
  );
  const options = { runOnly: rules, resultTypes: ['violations'] };
  const violations = await element.evaluate(
    async (root, how) => (await (globalThis as unknown as { axe: Axe }).axe.run(root, how)).violations,
    options,
  );
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(
      ({ html, failureSummary = '' }) =>
        `${id} (${help}): ${html.slice(0, 200)} ${failureSummary.slice(0, 300)}`,
    ),
  );
}
