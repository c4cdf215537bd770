import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../docs/markdown.js';
import { openBrowser, type PageView } from '../support/browser.js';
import { callUrl } from '../support/call.js';
import { fillDay } from '../support/day-of-calls.js';
import { fillGallery, type Gallery } from '../support/form-gallery.js';
import { BROWSER, BUILT_PAGES } from '../support/need-list.js';
import { lackOf } from '../support/needs.js';
import { settled } from '../support/page-text.js';
import { startTestServer } from '../support/test-server.js';

// Makes the pictures of the documentation from a server that runs: `npm run pictures`, into docs/images.

/** A page in the documentation. */
interface Picture {
  readonly name: string;
  readonly path: (gallery: Gallery) => string;
  /** Of the window on a desktop; 900 when absent. */
  readonly height?: number;
  /** True for a page that people see before they sign in. */
  readonly isStranger?: boolean;
}

/** The pages of the console and of tasks. */
const PICTURES: readonly Picture[] = [
  { name: 'overview', path: () => '/ui/?span=24h', height: 1300 },
  { name: 'adapters', path: () => '/ui/adapters' },
  { name: 'adapter', path: () => '/ui/adapters/core1?span=24h', height: 1250 },
  { name: 'adapter-calls', path: () => '/ui/adapters/core1?tab=calls' },
  { name: 'adapter-configuration', path: () => '/ui/adapters/edge-berlin?tab=configuration' },
  { name: 'adapter-history', path: () => '/ui/adapters/edge-berlin?tab=history' },
  { name: 'try', path: () => '/ui/adapters/core1?tab=try' },
  { name: 'register-adapter', path: () => '/ui/new-adapter' },
  { name: 'health', path: () => '/ui/health' },
  { name: 'notifications', path: () => '/ui/notifications' },
  { name: 'log', path: () => '/ui/log' },
  { name: 'limits', path: () => '/ui/limits' },
  { name: 'forms', path: () => '/ui/forms' },
  { name: 'designer', path: ({ formId }) => `/ui/forms/${formId}`, height: 1100 },
  { name: 'yang', path: () => '/ui/yang' },
  { name: 'tasks', path: () => '/ui/tasks' },
  { name: 'profiles', path: () => '/ui/profiles' },
  { name: 'profile', path: ({ profileId }) => `/ui/profiles/${profileId}` },
  { name: 'new-profile', path: () => '/ui/new-profile' },
  { name: 'secrets', path: () => '/ui/secrets' },
  { name: 'access', path: () => '/ui/access' },
  { name: 'audit', path: () => '/ui/audit' },
  { name: 'deprecations', path: () => '/ui/deprecations' },
  { name: 'rest', path: () => '/ui/rest' },
  { name: 'api', path: () => '/ui/api/restCall' },
  { name: 'sign-in', path: () => '/ui/', isStranger: true },
  { name: 'task-form', path: ({ formTask }) => `/json-forms/task/ShowJsonForm?task=${formTask}` },
  { name: 'task-yang', path: ({ yangTask }) => `/json-forms/task/RenderYangForm?task=${yangTask}` },
  { name: 'task-finished', path: ({ finishedTask }) => `/json-forms/task/ShowJsonForm?task=${finishedTask}` },
];

/** Each page is pictured in these ways: `overview.png`, `overview-dark.png`, `overview-phone.png`. */
const WAYS: readonly (PageView & { readonly suffix: string })[] = [
  { suffix: '' },
  { suffix: '-dark', theme: 'dark' },
  { suffix: '-phone', width: 390, height: 844 },
];

const lack = lackOf([BROWSER, BUILT_PAGES]);
if (lack !== undefined) {
  process.stderr.write(`needs ${lack.name} (${lack.hint ?? ''})\n`);
  process.exit(1);
}
const folder = join(ROOT, 'docs', 'images');
mkdirSync(folder, { recursive: true });
const home = mkdtempSync(join(tmpdir(), 'gatehouse-pictures-'));
const testServer = await startTestServer({ folder: home });
const browser = await openBrowser();
try {
  const gallery = await fillGallery(testServer);
  await fillDay(testServer);
  await storeRules();
  const wanted = process.argv.slice(2);
  for (const picture of PICTURES.filter(({ name }) => wanted.length === 0 || wanted.includes(name)))
    for (const way of WAYS) await take(picture, way, gallery);
} finally {
  await browser.close();
  await testServer.close();
  rmSync(home, { recursive: true, force: true });
}

/** Stores what the pages of limits, access and history show. */
async function storeRules(): Promise<void> {
  const edgeBerlin = {
    auth: { type: 'basic', username: 'gatehouse', password: '$VAULT_adapters/core1#password' },
    timeouts: { totalMs: 20_000 },
    baseUrl: testServer.orchestrator.url,
    tls: { caFile: '../orchestrator-ca.pem' },
  };
  for (const [path, properties, comment] of [
    ['/limits/scripts', { callerNames: ['robot-*'], requests: 600, periodSeconds: 60 }, 'Night scripts'],
    ['/limits/one-at-a-time', { roles: ['lab'], adapters: ['core1'], concurrent: 1 }, 'Maintenance'],
    ['/access/rules/noc-core', { roles: ['noc'], adapters: ['core*'] }, 'The NOC reads core routers'],
    ['/adapters/edge-berlin', { properties: { properties: edgeBerlin } }, 'Moved to the new site'],
  ] as const) {
    const token = testServer.issueToken('admin');
    const { status, text } = await callUrl(testServer.url + path, {
      method: 'PUT',
      token,
      body: { properties, comment },
    });
    if (status >= 300) process.stderr.write(`PUT ${path}: ${status} ${text}\n`);
  }
}

async function take(picture: Picture, way: (typeof WAYS)[number], gallery: Gallery): Promise<void> {
  const { name, path, height = 900, isStranger = false } = picture;
  const token = isStranger ? undefined : testServer.issueToken('admin', 'engineering');
  const { suffix, ...view } = way;
  const { page, faults, close } = await browser.look(testServer.url, {
    ...(token !== undefined && { token }),
    formView: 'none',
    height,
    ...view,
  });
  await page.goto(testServer.url + path(gallery));
  // The console keeps a stream of events open, so the network never idles.
  await settled(page);
  await page.screenshot({ path: join(folder, `${name}${suffix}.png`) });
  process.stderr.write(`${name}${suffix}.png${faults.map((fault) => `\n  ${fault}`).join('')}\n`);
  await close();
}
