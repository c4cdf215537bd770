import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Form } from '../src/core/form.js';
import { openStore } from '../src/features/open-store.js';
import { form, LIMITS } from '../test/support/form.js';
import { openFormsInMainThread } from './forms-in-main-thread.js';
import { watchLoop } from './loop-watch.js';
import { report, SABOTAGED } from './report.js';

// The main loop continues while forms are stored in SQLite: no step blocks it for longer than 50 ms of CPU
// time. `npm run evidence -- stalls [FOLDER]`: the folder selects the disk.
const MOST_MS = 50;
const folder = mkdtempSync(join(process.argv[2] ?? tmpdir(), 'gatehouse-stalls-'));
const file = join(folder, 'stalls.db');
const store = SABOTAGED ? await openFormsInMainThread(file) : await openStore(`sqlite:${file}`);
let made = 0;

const middling = make(1000, 20_000);
const steps: Readonly<Record<string, () => Promise<unknown>>> = {
  'import 1,000 of 0.1 kB': importing(make(1000, 100)),
  'import 1,000 of 20 kB': importing(middling),
  'import 64 of 1 MB': importing(make(64, 1_000_000)),
  'create 1,000 of 0.1 kB': creating(make(1000, 100)),
  'create 64 of 1 MB': creating(make(64, 1_000_000)),
  'update 100 of 20 kB': async () => {
    for (const { id } of middling.slice(0, 100))
      await store.forms.update(id, (previous) => ({ ...previous, description: 'new' }), LIMITS);
  },
  'list all': async () => {
    for await (const page of store.forms.list()) if (page.length === 0) return;
  },
  'delete 1,000 of 20 kB': () => store.forms.remove(middling.map(({ id }) => id)),
};

const figures: Record<string, unknown> = {};
let longest = 0;
for (const [name, step] of Object.entries(steps)) {
  // Collects the garbage of the previous step before the measurement.
  globalThis.gc?.();
  await setTimeout(20);
  const watch = watchLoop();
  await setTimeout(20);
  const started = performance.now();
  await step();
  const totalMs = Math.round(performance.now() - started);
  const { ownMs, wallMs } = await watch.stop();
  longest = Math.max(longest, ownMs);
  figures[name] = { stallMs: ownMs, stallOnTheClockMs: wallMs, totalMs };
}
await store.close();
rmSync(folder, { recursive: true, force: true });
report('stalls', longest <= MOST_MS, { mostMs: MOST_MS, longestMs: longest, ...figures });

function make(count: number, size: number): readonly Form[] {
  return Array.from({ length: count }, () => form((made += 1), { struct: { text: 'x'.repeat(size) } }));
}

function importing(some: readonly Form[]): () => Promise<unknown> {
  return () => store.forms.import(some, LIMITS);
}

function creating(some: readonly Form[]): () => Promise<unknown> {
  return async () => {
    for (const one of some) await store.forms.create(one, LIMITS);
  };
}
