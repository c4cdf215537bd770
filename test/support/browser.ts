import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContext, chromium, type LaunchOptions, type Page } from 'playwright-core';
import { freePort } from './free-port.js';
import { findBrowser } from './need-list.js';

const CHROMIUM = findBrowser();

/** Mocha's limit for tests with a browser: a machine with much else to do must not fail them. */
export const BROWSER_TEST_MS = 300_000;

/**
 * Time limit of one action, of one wait, and of the start of the browser. Only failures take this long;
 * passing steps end within a moment.
 */
export const ACTION_MS = 90_000;

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // The pages of one profile share a process, which keeps what it has compiled.
  '--process-per-site',
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

/** A browser that other processes connect to. */
export interface SharedBrowser {
  /** Of its DevTools protocol. */
  readonly url: string;
  close(): Promise<void>;
}

/** Starts the shared browser. */
export async function launchSharedBrowser(): Promise<SharedBrowser> {
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

async function watch(contexts: Contexts, url: string, look: PageView): Promise<WatchedPage> {
  const { token, theme = 'light', width = 1440, height = 900, scale = 1, isForced = false } = look;
  const site = await contexts.take(url, scale);
  const { context } = site;
  if (token !== undefined)
    await context.addCookies([{ name: 'token', value: token, url, httpOnly: true, sameSite: 'Strict' }]);
  const page = await context.newPage();
  if (look.formView !== 'none') await page.addInitScript(chosenFormView(look.formView ?? 'table'));
  await page.setViewportSize({ width, height });
  await page.emulateMedia({
    colorScheme: theme,
    forcedColors: isForced ? 'active' : 'none',
    // Disables animations: assertions need a page that no longer changes.
    reducedMotion: 'reduce',
  });
  let closed: Promise<void> | undefined;
  // Returns the profile only once; a second return would lend it to two pages at the same time.
  return { page, faults: site.faults, close: () => (closed ??= contexts.giveBack(site)) };
}

/** Returns a script that remembers a choice of a view for forms of any size, unless there is one already. */
function chosenFormView(view: 'form' | 'table'): string {
  return `for (const size of ['short', 'long'])
    try {
      localStorage['gatehouse.form-view.' + size] ??= '${view}';
    } catch {} // A page without storage.`;
}

/** A browser profile for the pages of one server; the pages share a process and compiled scripts. */
interface Site {
  readonly context: BrowserContext;
  readonly origin: string;
  readonly scale: number;
  /** Stays open, so that its process does. */
  readonly anchor: Page;
  faults: string[];
}

/**
 * Pool of browser profiles. Profiles are reused, because a new profile takes a second to load the same
 * scripts again.
 */
interface Contexts {
  take(url: string, scale: number): Promise<Site>;
  /** Closes its pages, and forgets cookies and storage. */
  giveBack(site: Site): Promise<void>;
}

function createContexts(browser: Browser): Contexts {
  const idle: Site[] = [];
  return {
    async take(url, scale) {
      const { origin } = new URL(url);
      const at = idle.findIndex((site) => site.origin === origin && site.scale === scale);
      const [site = await openTestSite(browser, origin, scale)] = at < 0 ? [] : idle.splice(at, 1);
      site.faults = [];
      return site;
    },
    async giveBack(site) {
      const pages = site.context.pages().filter((page) => page !== site.anchor);
      await Promise.all(pages.map((page) => page.close()));
      await site.context.clearCookies();
      await site.anchor.evaluate('localStorage.clear()');
      idle.push(site);
    },
  };
}

async function openTestSite(browser: Browser, origin: string, scale: number): Promise<Site> {
  const context = await browser.newContext({ deviceScaleFactor: scale, locale: 'en-US' });
  context.setDefaultTimeout(ACTION_MS);
  const anchor = await context.newPage();
  await anchor.route(origin, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>open</title>' }),
  );
  await anchor.goto(origin);
  const site: Site = { context, origin, scale, anchor, faults: [] };
  await collectFaults(site);
  return site;
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

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/**
 * Returns the accessibility violations that axe finds on the page in its current state, one line for each
 * place.
 */
export async function accessibilityFaults(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(axe);
  // A color in the middle of a transition is the color of neither theme.
  await page.evaluate(
    `document.getAnimations().forEach((one) => { if (one instanceof CSSTransition) one.finish(); })`,
  );
  const violations = await page.evaluate<readonly Violation[]>(
    `axe.run(document, { runOnly: ${JSON.stringify(RULES)}, resultTypes: ['violations'] }).then((all) => all.violations)`,
  );
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(
      ({ html, failureSummary = '' }) =>
        `${id} (${help}): ${html.slice(0, 200)} ${failureSummary.slice(0, 300)}`,
    ),
  );
}
