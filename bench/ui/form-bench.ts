import type { CDPSession, Page } from 'playwright-core';
import type { TestBrowser, WatchedPage } from '../../test/support/browser.js';

/** A form in the browser, with measurements of actions in it. */
export interface FormBench {
  readonly page: Page;
  /** Milliseconds from the schema to the form on the screen. */
  readonly opened: number;
  /** Presses keys; returns the milliseconds from each key to the frame that shows its effect. */
  keys(keys: readonly string[]): Promise<readonly number[]>;
  /** Presses a button once; returns the milliseconds to the frame that shows the effect. */
  press(name: string): Promise<number>;
  /** Returns the milliseconds of CPU time of the main thread so far, independent of other programs. */
  busy(): Promise<number>;
  nodes(): Promise<number>;
  /** Megabytes of the page's heap, after a collection. */
  heap(): Promise<number>;
  /** Frames in a second while the form is scrolled from its top to its end. */
  scroll(): Promise<number>;
  run<T>(expression: string): Promise<T>;
  close(): Promise<void>;
}

/** Notes when each key or press began and when the frame after it was painted. */
const PROBE = `
window.painted = [];
for (const kind of ['keydown', 'click'])
  window.addEventListener(kind, () => {
    const began = performance.now();
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => window.painted.push(performance.now() - began);
      channel.port2.postMessage(0);
    });
  }, true);
`;

/** Opens a sample; `slower` divides the speed of the processor. */
export async function openForm(
  browser: TestBrowser,
  url: string,
  { slower = 1 }: { readonly slower?: number } = {},
): Promise<FormBench> {
  const looked = await browser.look(url, { width: 1440, height: 900 });
  const { page } = looked;
  page.setDefaultTimeout(120_000);
  const session = await page.context().newCDPSession(page);
  if (slower > 1) await session.send('Emulation.setCPUThrottlingRate', { rate: slower });
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.addInitScript(PROBE);
  await page.goto(url);
  await page.locator('html[data-opened-in]').waitFor();
  const opened = Number(await page.locator('html').getAttribute('data-opened-in'));
  return benchOf({ looked, session, opened });
}

interface Parts {
  readonly looked: WatchedPage;
  readonly session: CDPSession;
  readonly opened: number;
}

function benchOf({ looked, session, opened }: Parts): FormBench {
  const { page } = looked;
  const run = <T>(expression: string) => page.evaluate<T>(expression);
  const painted = async (count: number): Promise<readonly number[]> => {
    const times = await run<readonly number[]>(`new Promise((done) => {
      const look = () => window.painted.length >= ${count} ? done(window.painted) : setTimeout(look, 5);
      look();
    })`);
    return times;
  };
  const timed = async (count: number, act: () => Promise<void>) => {
    await run('window.painted.length = 0');
    await act();
    return painted(count);
  };
  return {
    page,
    opened,
    run,
    keys: (keys) =>
      timed(keys.length, async () => {
        for (const [at, key] of keys.entries()) {
          await page.keyboard.press(key);
          await painted(at + 1);
        }
      }),
    press: async (name) => {
      const [time = Number.NaN] = await timed(1, () => page.getByRole('button', { name }).click());
      return time;
    },
    busy: async () => {
      const { metrics } = await session.send('Performance.getMetrics');
      return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1000;
    },
    nodes: () => run<number>('document.querySelectorAll("*").length'),
    heap: async () => {
      await session.send('HeapProfiler.collectGarbage');
      const { usedSize } = await session.send('Runtime.getHeapUsage');
      return usedSize / 1e6;
    },
    scroll: () => run<number>(SCROLL),
    close: () => looked.close(),
  };
}

/** A hundred steps of three rows each. */
const SCROLL = `new Promise((done) => {
  const grid = document.querySelector('.gf-grid');
  grid.scrollTop = 0;
  const began = performance.now();
  let frames = 0;
  const step = () => {
    frames += 1;
    grid.scrollTop += 100;
    if (frames < 100) requestAnimationFrame(step);
    else done((frames * 1000) / (performance.now() - began));
  };
  requestAnimationFrame(step);
})`;
