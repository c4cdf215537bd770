import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

/** Where Debian puts it; `CHROMIUM` names another one. */
const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** Mocha's limit for tests with a browser: a machine with much else to do must not fail them. */
export const BROWSER_TEST_MS = 300_000;

/** Limit of one action, of one wait, and of the start of the browser. What is right takes a moment; only what is wrong takes this. */
export const ACTION_MS = 90_000;

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Where the build puts the pages, beside the code that the tests run. */
const PAGES = fileURLToPath(new URL('../../ui/index.html', import.meta.url));

/** Why there is nothing to test with here; undefined when there is. */
export function lackOfBrowser(): string | undefined {
  if (!existsSync(CHROMIUM)) return `no browser at ${CHROMIUM} (apt-get install chromium, or set CHROMIUM)`;
  if (!existsSync(PAGES)) return 'the pages are not built (npm run build)';
  return undefined;
}

/** How a page is looked at. */
export interface Look {
  /** A token for the cookie of the session; absent: nobody has signed in. */
  readonly token?: string;
  readonly theme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
  /** Pixels of the screen for one of the page; 1 when absent. */
  readonly scale?: number;
  /** True: the colours are those of the system, as with high contrast. */
  readonly isForced?: boolean;
}

/** A page under watch. */
export interface WatchedPage {
  readonly page: Page;
  /** What no page may do: errors on its console, broken rules of its policy, requests to other servers. */
  readonly faults: readonly string[];
  readonly close: () => Promise<void>;
}

/** A browser for tests, with whatever its pages did wrong. */
export interface TestBrowser {
  readonly version: string;
  /** Opens an empty page for the server at `url`. */
  look(url: string, look?: Look): Promise<WatchedPage>;
  readonly close: () => Promise<void>;
}

/** Starts the browser. Only where {@link lackOfBrowser} says nothing. */
export async function openBrowser(): Promise<TestBrowser> {
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    headless: true,
    args: FLAGS,
    timeout: ACTION_MS,
  });
  return {
    version: browser.version(),
    look: (url, look = {}) => watch(browser, url, look),
    close: () => browser.close(),
  };
}

async function watch(browser: Browser, url: string, look: Look): Promise<WatchedPage> {
  const { token, theme = 'light', width = 1440, height = 900, scale = 1, isForced = false } = look;
  const context = await browser.newContext({
    viewport: { width, height },
    deviceScaleFactor: scale,
    colorScheme: theme,
    forcedColors: isForced ? 'active' : 'none',
    // What moves is neither here nor there: nothing can be said of a page before it stands still.
    reducedMotion: 'reduce',
    locale: 'en-US',
  });
  context.setDefaultTimeout(ACTION_MS);
  if (token !== undefined)
    await context.addCookies([{ name: 'token', value: token, url, httpOnly: true, sameSite: 'Strict' }]);
  const faults = await collectFaults(context, new URL(url).origin);
  return { page: await context.newPage(), faults, close: () => context.close() };
}

async function collectFaults(context: BrowserContext, origin: string): Promise<readonly string[]> {
  const faults: string[] = [];
  await context.exposeFunction('reportBrokenPolicy', (text: string) => faults.push(`policy: ${text}`));
  await context.addInitScript(`document.addEventListener('securitypolicyviolation', (event) => {
    window.reportBrokenPolicy(event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sourceFile);
  });`);
  context.on('console', (message) => {
    // The browser logs every answer of 400 and more as an error; the page shows those in its own words.
    const isAnswer = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isAnswer) faults.push(`console: ${message.text()}`);
  });
  context.on('weberror', (error) => faults.push(`uncaught: ${error.error().message}`));
  context.on('request', (request) => {
    const isOwn = request.url().startsWith(`${origin}/`) || /^(?:data|blob):/.test(request.url());
    if (!isOwn) faults.push(`request: ${request.url()}`);
  });
  return faults;
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Rules of WCAG 2.0 to 2.2, levels A and AA. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa'];

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** What axe has against a page as it is now, a line for each place. */
export async function accessibilityFaults(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe);
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
