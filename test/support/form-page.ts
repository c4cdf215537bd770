import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import type { Suite } from 'mocha';
import type { Page } from 'playwright-core';
import sirv from 'sirv';
import { build } from 'vite';
import { PAGE_HEADERS } from '../../src/http/html.js';
import {
  BROWSER_TEST_MS,
  openBrowser,
  type PageView,
  type TestBrowser,
  type WatchedPage,
} from './browser.js';
import { listenOnLoopback } from './loopback.js';
import { SAMPLE_FORMS_FOLDER } from './need-list.js';
import { openedBySuite } from './opened.js';
import { temporaryFolder } from './temporary-folder.js';
import { eventually } from './until.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

const PREACT = {
  'react-dom/client': 'preact/compat/client',
  'react-dom': 'preact/compat',
  'react/jsx-runtime': 'preact/jsx-runtime',
  react: 'preact/compat',
};

/** Builds a page with only a form, with the build of the product's pages. */
export async function buildFormPage(folder: string): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'error',
    root: join(ROOT, 'test/browser/form-page'),
    plugins: [react()],
    define: { 'process.env.NODE_ENV': '"production"' },
    resolve: { alias: PREACT },
    build: {
      outDir: folder,
      emptyOutDir: true,
      target: 'es2022',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
    },
  });
}

/**
 * A page that is served, with forms to show: `<name>.json` is a schema, `<name>.d1.json` its data,
 * `.ui.json`, `.binding.json`.
 */
interface FormPage {
  readonly url: string;
  close(): Promise<void>;
}

/** A form that a suite shows. */
interface ShownForm {
  /** Opens the page with a query such as `sample=NAME&view=table`, and waits for its fields. */
  readonly open: (query: string, look?: PageView) => Promise<Page>;
  /** Resolves to the document that the form has now. */
  readonly document: () => Promise<Readonly<Record<string, unknown>>>;
  /** Waits until members of the document are so; `undefined` are those that are not there. */
  readonly stands: (wanted: Readonly<Record<string, unknown>>) => Promise<void>;
}

/**
 * Sets up the page of a form for a suite that needs `BROWSER`: builds and serves it before the tests, and closes it after
 * each test, which fails if the page had faults. The user chose no view of forms before, unless `look` says so.
 */
export function formPageFor(
  suite: Suite,
  { forms }: { readonly forms: Readonly<Record<string, unknown>> },
): ShownForm {
  suite.timeout(BROWSER_TEST_MS);
  let served: FormPage;
  let browser: TestBrowser;
  let looked: WatchedPage | undefined;
  const opened = openedBySuite();
  before(async () => {
    const folder = temporaryFolder().path;
    await buildFormPage(folder);
    served = await opened(serveFormPage(folder, forms));
    browser = await opened(openBrowser());
  });
  afterEach(async () => {
    const faults = looked?.faults ?? [];
    await looked?.close();
    looked = undefined;
    assert.deepEqual(faults, []);
  });
  const document = async (): Promise<Readonly<Record<string, unknown>>> => {
    const text = (await looked?.page.evaluate<string>('window.form.text()')) ?? '';
    return JSON.parse(text === '' ? '{}' : text) as Record<string, unknown>;
  };
  return {
    async open(query, look = {}) {
      looked = await browser.look(served.url, { height: 1400, formView: 'none', ...look });
      await looked.page.goto(`${served.url}/?${query}`);
      await looked.page.locator('html[data-opened-in]').waitFor();
      return looked.page;
    },
    document,
    stands: (wanted) =>
      eventually(async () => {
        const now = await document();
        const found = Object.fromEntries(Object.keys(wanted).map((name) => [name, now[name]]));
        assert.deepEqual(found, wanted);
      }),
  };
}

/** Serves a built page with the headers of the product. `forms` override the samples. */
export async function serveFormPage(
  folder: string,
  forms: Readonly<Record<string, unknown>> = {},
): Promise<FormPage> {
  const files = sirv(folder);
  const server = createServer((request, response) => {
    response.setHeaders(new Map(Object.entries(PAGE_HEADERS)));
    const [, name] = /^\/samples\/([^?]*)/.exec(request.url ?? '') ?? [];
    const sample = name === undefined ? undefined : sampleOf(forms, name);
    if (sample) response.setHeader('content-type', 'application/json').end(sample);
    else files(request, response, () => void response.writeHead(404).end());
  });
  const { port, close } = await listenOnLoopback(server);
  return { url: `http://127.0.0.1:${port}`, close };
}

function sampleOf(forms: Readonly<Record<string, unknown>>, name: string): Buffer | string | undefined {
  if (Object.hasOwn(forms, name)) return JSON.stringify(forms[name]);
  const file = join(SAMPLE_FORMS_FOLDER, name);
  if (existsSync(`${file}.gz`)) return gunzipSync(readFileSync(`${file}.gz`));
  return existsSync(file) ? readFileSync(file) : undefined;
}
