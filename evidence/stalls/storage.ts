import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Form } from '../../src/features/forms/form-store.js';
import { openStore } from '../../src/features/open-store.js';
import { form, LIMITS } from '../../test/support/form.js';
import { openFormsInMainThread } from '../forms-in-main-thread.js';
import { watchLoop } from '../loop-watch.js';
import { type Findings, SABOTAGED } from '../report.js';

let made = 0;

/** The part of a store that the steps use. */
type Store = Pick<Awaited<ReturnType<typeof openStore>>, 'forms'>;

/** Measures how long the main loop is stopped while forms are stored in SQLite, in the folder for temporary files (TMPDIR). */
export async function measureStorage(mostMs: number): Promise<Findings> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-stalls-'));
  const file = join(folder, 'stalls.db');
  const store = SABOTAGED ? await openFormsInMainThread(file) : await openStore(`sqlite:${file}`);
  const figures: Record<string, unknown> = {};
  let longestMs = 0;
  for (const [name, step] of Object.entries(stepsOf(store))) {
    // Collects the garbage of the previous step before the measurement.
    globalThis.gc?.();
    await setTimeout(20);
    const watch = watchLoop();
    await setTimeout(20);
    const started = performance.now();
    await step();
    const totalMs = Math.round(performance.now() - started);
    const { ownMs, wallMs } = await watch.stop();
    longestMs = Math.max(longestMs, ownMs);
    figures[name] = { stallMs: ownMs, stallOnTheClockMs: wallMs, totalMs };
  }
  await store.close();
  rmSync(folder, { recursive: true, force: true });
  return { holds: longestMs <= mostMs, figures: { longestMs, ...figures } };
}

function stepsOf({ forms }: Store): Readonly<Record<string, () => Promise<unknown>>> {
  const middling = make(1000, 20_000);
  const importing = (some: readonly Form[]) => () => forms.import(some, LIMITS);
  const creating = (some: readonly Form[]) => async () => {
    for (const one of some) await forms.create(one, LIMITS);
  };
  return {
    'import 1,000 of 0.1 kB': importing(make(1000, 100)),
    'import 1,000 of 20 kB': importing(middling),
    'import 64 of 1 MB': importing(make(64, 1_000_000)),
    'create 1,000 of 0.1 kB': creating(make(1000, 100)),
    'create 64 of 1 MB': creating(make(64, 1_000_000)),
    'update 100 of 20 kB': async () => {
      for (const { id } of middling.slice(0, 100))
        await forms.update(id, (previous) => ({ ...previous, description: 'new' }), LIMITS);
    },
    'list all': async () => {
      for await (const page of forms.list()) if (page.length === 0) return;
    },
    'delete 1,000 of 20 kB': () => forms.remove(middling.map(({ id }) => id)),
  };
}

function make(count: number, size: number): readonly Form[] {
  return Array.from({ length: count }, () => form((made += 1), { struct: { text: 'x'.repeat(size) } }));
}
