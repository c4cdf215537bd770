import assert from 'node:assert/strict';
import fc from 'fast-check';
import { openStore } from '../src/features/open-store.js';
import { followModel, formActions } from '../test/storage/form-model.js';
import { POSTGRES } from '../test/support/need-list.js';
import { lackOf } from '../test/support/needs.js';
import { startPostgres } from '../test/support/postgres-server.js';
import { forgetfulStore } from './forgetful-store.js';
import { report, SABOTAGED } from './report.js';

// F7: sequences of actions on both databases, which match the model and hold the same bytes.
const RUNS = Number(process.argv[2] ?? '100000');
const server = lackOf(POSTGRES) ? undefined : await startPostgres();
const memory = await openStore('sqlite::memory:');
const sqlite = SABOTAGED ? forgetfulStore(memory) : memory;
const postgres = server && (await openStore(await server.newUrl()));
const started = Date.now();
const check = fc.asyncProperty(formActions, async (sequence) => {
  const held = await followModel(sqlite, sequence);
  if (postgres) assert.deepEqual(await followModel(postgres, sequence), held);
});
const { failed, numRuns, counterexample, seed } = await fc.check(check, { numRuns: RUNS });
for (const store of [memory, postgres]) await store?.close();
await server?.close();
report('model', !failed && numRuns > 0 && postgres !== undefined, {
  sequences: numRuns,
  seed,
  counterexample,
  postgres: postgres !== undefined,
  seconds: Math.round((Date.now() - started) / 1000),
});
