import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../docs/markdown.js';
import { lackOfBrowser, openBrowser, type PageView } from '../support/browser.js';
import { settled } from '../support/page-text.js';
import { fillGallery, type Gallery } from '../support/form-gallery.js';
import { startTestServer } from '../support/test-server.js';

// Makes the pictures of the documentation from a server that runs: `npm run pictures`, into docs/images.

interface Picture extends Pick<PageView, 'theme' | 'width' | 'height'> {
  readonly name: string;
  readonly path: (gallery: Gallery) => string;
}

const PICTURES: readonly Picture[] = [
  { name: 'overview', path: () => '/ui/' },
  { name: 'overview-dark', path: () => '/ui/', theme: 'dark' },
  { name: 'adapters', path: () => '/ui/adapters' },
  { name: 'adapter', path: () => '/ui/adapters/core1' },
  { name: 'health', path: () => '/ui/health' },
  { name: 'forms', path: () => '/ui/forms' },
  { name: 'designer', path: ({ formId }) => `/ui/forms/${formId}` },
  { name: 'yang', path: () => '/ui/yang' },
  { name: 'tasks', path: () => '/ui/tasks' },
  { name: 'profiles', path: () => '/ui/profiles' },
  { name: 'profile', path: ({ profileId }) => `/ui/profiles/${profileId}` },
  { name: 'secrets', path: () => '/ui/secrets' },
  { name: 'audit', path: () => '/ui/audit' },
  { name: 'deprecations', path: () => '/ui/deprecations' },
  { name: 'rest', path: () => '/ui/rest' },
  { name: 'api', path: () => '/ui/api' },
  { name: 'task-form', path: ({ formTask }) => `/json-forms/task/ShowJsonForm?task=${formTask}` },
  { name: 'task-yang', path: ({ yangTask }) => `/json-forms/task/RenderYangForm?task=${yangTask}` },
  {
    name: 'task-yang-dark',
    path: ({ yangTask }) => `/json-forms/task/RenderYangForm?task=${yangTask}`,
    theme: 'dark',
  },
  { name: 'task-finished', path: ({ finishedTask }) => `/json-forms/task/ShowJsonForm?task=${finishedTask}` },
  { name: 'overview-phone', path: () => '/ui/', width: 390, height: 844 },
];

const lack = lackOfBrowser();
if (lack !== undefined) {
  process.stderr.write(`${lack}\n`);
  process.exit(1);
}
const folder = join(ROOT, 'docs', 'images');
mkdirSync(folder, { recursive: true });
const home = mkdtempSync(join(tmpdir(), 'gatehouse-pictures-'));
const testServer = await startTestServer({ folder: home });
const browser = await openBrowser();
try {
  const gallery = await fillGallery(testServer);
  const wanted = process.argv.slice(2);
  for (const picture of PICTURES.filter(({ name }) => wanted.length === 0 || wanted.includes(name)))
    await take(picture, gallery);
} finally {
  await browser.close();
  await testServer.close();
  rmSync(home, { recursive: true, force: true });
}

async function take({ name, path, ...look }: Picture, gallery: Gallery): Promise<void> {
  const token = testServer.issueToken('admin', 'engineering');
  const { page, faults, close } = await browser.look(testServer.url, { token, height: 1000, ...look });
  await page.goto(testServer.url + path(gallery));
  // The console keeps a stream of events open, so the network never idles.
  await settled(page);
  await page.screenshot({ path: join(folder, `${name}.png`) });
  process.stderr.write(`${name}.png${faults.map((fault) => `\n  ${fault}`).join('')}\n`);
  await close();
}
