import type { TestBrowser } from '../../test/support/browser.js';
import { type Figure, spread } from '../figure.js';
import { quantile } from '../quantile.js';
import { type FormBench, openForm } from './form-bench.js';

/** Options of a measurement. */
interface FormRun {
  readonly browser: TestBrowser;
  /** Of the page with the form. */
  readonly url: string;
  readonly runs: number;
  /** Divides the speed of the processor. */
  readonly slower?: number;
}

/** The 2,105 nodes of openconfig-network-instance. */
export async function middleForm(run: FormRun): Promise<readonly Figure[]> {
  const { slower = 1 } = run;
  const opened = await openings(run, 'oc-ni');
  const form = await openForm(run.browser, `${run.url}/?sample=oc-ni`, { slower });
  try {
    const busy = await form.busy();
    const expanded = [await form.press('Expand all')];
    const before = await form.busy();
    const arrows = await walk(form);
    const busyPerKey = ((await form.busy()) - before) / arrows.length;
    const letters = await typing(form);
    const figures: readonly Figure[] = [
      { what: 'oc-ni: open', unit: 'ms', ...spread(opened), target: { most: slower > 1 ? 1000 : 200 } },
      {
        what: 'oc-ni: letter to paint',
        unit: 'ms',
        ...spread(letters),
        target: { most: slower > 1 ? 120 : 50 },
        isP95: true,
      },
      {
        what: 'oc-ni: arrow to paint',
        unit: 'ms',
        ...spread(arrows),
        target: { most: slower > 1 ? 120 : 50 },
        isP95: true,
      },
    ];
    if (slower > 1)
      return figures.map((figure) => ({ ...figure, what: `${figure.what}, CPU ${slower}x slower` }));
    return [
      ...figures,
      { what: 'oc-ni: main thread busy until open', unit: 'ms', median: busy, target: { most: 200 } },
      { what: 'oc-ni: main thread busy for a key', unit: 'ms', median: busyPerKey, target: { most: 50 } },
      { what: 'oc-ni: expand all', unit: 'ms', ...spread(expanded), target: { most: 150 } },
      ...(await restOf(form)),
    ];
  } finally {
    await form.close();
  }
}

/** The 94,345 nodes of Cisco-IOS-XE-native. */
export async function largeForm(run: FormRun): Promise<readonly Figure[]> {
  const opened = await openings({ ...run, runs: Math.ceil(run.runs / 3) }, 'xe-native');
  const form = await openForm(run.browser, `${run.url}/?sample=xe-native`);
  try {
    const searched = await searches(form, ['bgp', 'ospf', 'mtu']);
    return [
      { what: 'xe-native: open', unit: 'ms', ...spread(opened), target: { most: 2500 } },
      { what: 'xe-native: search', unit: 'ms', ...spread(searched), target: { most: 300 } },
      { what: 'xe-native: heap', unit: 'MB', median: await form.heap(), target: { most: 150 } },
    ];
  } finally {
    await form.close();
  }
}

async function openings(
  { browser, url, runs, slower = 1 }: FormRun,
  sample: string,
): Promise<readonly number[]> {
  const times: number[] = [];
  for (let at = 0; at < runs; at += 1) {
    const form = await openForm(browser, `${url}/?sample=${sample}`, { slower });
    times.push(form.opened);
    await form.close();
  }
  return times;
}

async function walk(form: FormBench): Promise<readonly number[]> {
  await form.page.locator('.gf-rows [role=row]').first().focus();
  return form.keys(Array.from({ length: 60 }, () => 'ArrowDown'));
}

async function typing(form: FormBench): Promise<readonly number[]> {
  await form.keys(['Home']);
  await form.page
    .getByRole('row', { name: /^description string/ })
    .first()
    .locator('.gf-value')
    .click();
  const times = await form.keys(Array.from({ length: 40 }, (_, at) => 'abcdefghij'[at % 10] ?? 'a'));
  await form.keys(['Escape']);
  return times;
}

/** Enters each word in one step, like a paste: a person waits for the search of the whole word. */
async function searches(form: FormBench, words: readonly string[]): Promise<readonly number[]> {
  const times: number[] = [];
  for (const word of words) {
    times.push(
      await form.run<number>(`new Promise((done) => {
        const box = document.querySelector('.gf-search input');
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(box, ${JSON.stringify(word)});
        const began = performance.now();
        box.dispatchEvent(new Event('input', { bubbles: true }));
        const look = () => requestAnimationFrame(() => {
          if (window.form.state.filter === ${JSON.stringify(word)}) setTimeout(() => done(performance.now() - began));
          else look();
        });
        look();
      })`),
    );
  }
  return times;
}

async function restOf(form: FormBench): Promise<readonly Figure[]> {
  const nodes = await form.nodes();
  const heap = await form.heap();
  const frames = await form.scroll();
  const searched = await searches(form, ['bgp', 'mtu', 'type:leafref', 'address', '']);
  const leaf = await form.run<readonly number[]>('window.form.measure.leaf()');
  const whole = await form.run<readonly number[]>('window.form.measure.whole()');
  await form.run('window.form.measure.spoil()');
  await form.page.locator('.gf-rows [role=row]').first().focus();
  const jumps = await form.keys(['n', 'n', 'p', 'n', 'n', 'p']);
  return [
    { what: 'oc-ni: search', unit: 'ms', ...spread(searched), target: { most: 60 } },
    { what: 'oc-ni: jump to error', unit: 'ms', ...spread(jumps), target: { most: 60 } },
    { what: 'oc-ni: scroll', unit: 'frames/s', median: frames, target: { least: 50 } },
    { what: 'oc-ni: nodes in the page', unit: '', median: nodes, target: { most: 1500 } },
    { what: 'oc-ni: heap', unit: 'MB', median: heap, target: { most: 40 } },
    { what: 'oc-ni: check of a leaf', unit: 'ms', ...spread(leaf), target: { most: 5 } },
    { what: 'oc-ni: check of all', unit: 'ms', median: quantile(whole, 0.5), target: { most: 60 } },
  ];
}
