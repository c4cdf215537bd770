import { join } from 'node:path';
import { openStore } from '../../src/features/open-store.js';
import type { Store } from '../../src/features/store.js';
import { auditRecord, seal } from '../support/audit-record.js';
import { form } from '../support/form.js';

// Writes to some stores without end until it is killed, and prints each acknowledged write as `<store> <kind>
// <what>`.
const [folder = '', run = '', count = '1', pace = ''] = process.argv.slice(2);

/** Exceeds the number of forms of 10,000 runs. */
const LIMITS = { maxForms: 10_000_000, maxVersions: 20 };

async function write(store: Store, at: number): Promise<void> {
  for (let number = 0; ; number += 1) {
    const id = (Number(run) * 1_000_000 + number).toString(16).padStart(24, '0');
    const name = `${run}-${number}`;
    if (pace === 'hasty') {
      // Simulates a store that acknowledges before it has written.
      void store.forms.create(form(0, { id, name }), LIMITS);
      process.stdout.write(`${at} form ${id}\n`);
      await new Promise((resolve) => setImmediate(resolve));
      continue;
    }
    if (await store.forms.create(form(0, { id, name }), LIMITS)) process.stdout.write(`${at} form ${id}\n`);
    await store.forms.update(id, (previous) => ({ ...previous, description: 'updated' }), LIMITS);
    process.stdout.write(`${at} update ${id}\n`);
    await store.audit.append([auditRecord(name)], seal);
    process.stdout.write(`${at} audit ${name}\n`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const stores = Array.from({ length: Number(count) }, (_, at) =>
  openStore(`sqlite:${join(folder, `${at}.db`)}`),
);
await Promise.all(stores.map(async (store, at) => write(await store, at)));
