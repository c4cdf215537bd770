import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openBrowser } from '../../test/support/browser.js';
import { buildFormPage, serveFormPage } from '../../test/support/form-page.js';
import { BROWSER, SAMPLE_FORMS } from '../../test/support/need-list.js';
import { lackOf } from '../../test/support/needs.js';
import { type Figure, FIGURE_HEAD, figureLine } from '../figure.js';
import { openResults, RESULTS } from '../results.js';
import { largeForm, middleForm } from './form-figures.js';
import { pageFigures } from './page-figures.js';

const { values: options } = parseArgs({
  options: {
    runs: { type: 'string', default: '9' },
    results: { type: 'string', default: RESULTS },
  },
});

/** Folder of the built pages. */
const PAGES = fileURLToPath(new URL('../../ui', import.meta.url));

const say = (text: string) => process.stdout.write(`${text}\n`);

const lack = lackOf([SAMPLE_FORMS, BROWSER]);
if (lack === undefined) await measureAll();
else say(`needs ${lack.name} (${lack.hint ?? ''})`);

async function measureAll(): Promise<void> {
  const writeFigures = openResults(options.results, 'ui');
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
  await buildFormPage(folder);
  const page = await serveFormPage(folder);
  const browser = await openBrowser();
  try {
    say(`Chromium ${browser.version}, load ${loadavg()[0]?.toFixed(1) ?? '?'}`);
    say(FIGURE_HEAD);
    const run = { browser, url: page.url, runs: Number(options.runs) };
    const figures = [
      ...pageFigures(PAGES).map(told),
      ...(await middleForm(run)).map(told),
      ...(await middleForm({ ...run, slower: 4 })).map(told),
      ...(await largeForm(run)).map(told),
    ];
    const machine = { node: process.version, cpu: cpus()[0]?.model, load: loadavg() };
    writeFigures({ browser: browser.version, ...machine, figures });
  } finally {
    await browser.close();
    await page.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function told(figure: Figure): Figure {
  say(figureLine(figure));
  return figure;
}
