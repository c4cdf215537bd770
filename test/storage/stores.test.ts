import assert from 'node:assert/strict';
import { join } from 'node:path';
import fc from 'fast-check';
import { openStore } from '../../src/features/open-store.js';
import type { Store } from '../../src/features/store.js';
import { attemptStoreContract } from '../contracts/attempt-store-contract.js';
import { browserSessionStoreContract } from '../contracts/browser-session-store-contract.js';
import { deprecatedCallStoreContract } from '../contracts/deprecated-call-store-contract.js';
import { notificationStoreContract } from '../contracts/notification-store-contract.js';
import { platformStoreContract } from '../contracts/platform-store-contract.js';
import { recordHistoryContract } from '../contracts/record-history-contract.js';
import { sessionStoreContract } from '../contracts/session-store-contract.js';
import { storeContract } from '../contracts/store-contract.js';
import { taskStoreContract } from '../contracts/task-store-contract.js';
import { trafficStoreContract } from '../contracts/traffic-store-contract.js';
import { POSTGRES } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { openedBySuite } from '../support/opened.js';
import { type PostgresServer, startPostgres } from '../support/postgres-server.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { followModel, formActions } from './form-model.js';

/** Number of sequences of the model check; the evidence run sets more. */
const RUNS = Number(process.env['FORM_MODEL_RUNS'] ?? '30');

function otherContracts(open: () => Promise<Store>): void {
  for (const [what, contract] of [
    ['task store', taskStoreContract],
    ['session store', sessionStoreContract],
    ['store of browser sessions', browserSessionStoreContract],
    ['store of failed logins', attemptStoreContract],
    ['store of the numbers of calls', trafficStoreContract],
    ['store of the callers of deprecated operations', deprecatedCallStoreContract],
    ['store of notifications', notificationStoreContract],
  ] as const)
    describe(`as ${what}`, () => {
      contract(open);
    });
}

describe('the store in SQLite', () => {
  const url = `sqlite:${join(temporaryFolder().path, 'gatehouse.db')}`;
  storeContract(() => openStore(url));
  describe('as platform store', () => {
    platformStoreContract(() => openStore('sqlite::memory:'));
  });
  describe('as record history', () => {
    recordHistoryContract(() => openStore('sqlite::memory:'), 'process');
  });
  otherContracts(() => openStore(url));

  it('F7: behaves like the model for any sequence of actions', async () => {
    const store = await openStore('sqlite::memory:');
    const check = fc.asyncProperty(formActions, async (sequence) => {
      await followModel(store, sequence);
    });
    await fc.assert(check, { numRuns: RUNS, ...(RUNS === 30 && { seed: 7 }) });
    await store.close();
  });
});

describeWith(POSTGRES, 'the store in PostgreSQL', () => {
  let server: PostgresServer;
  let url = '';
  const opened = openedBySuite();

  before(async () => {
    server = await opened(startPostgres());
    url = await server.newUrl();
  });

  storeContract(() => openStore(url));
  describe('as platform store', () => {
    platformStoreContract(() => openStore(url));
  });
  describe('as record history', () => {
    recordHistoryContract(async () => openStore(await server.newUrl()), 'database');
  });
  otherContracts(() => openStore(url));

  it('F7: behaves like the model, and stores the same bytes as SQLite', async () => {
    const stores = await Promise.all([url, 'sqlite::memory:'].map((one) => openStore(one)));
    const [postgres, sqlite] = stores as [Store, Store];
    const check = fc.asyncProperty(formActions, async (sequence) => {
      assert.deepEqual(await followModel(postgres, sequence), await followModel(sqlite, sequence));
    });
    await fc.assert(check, { numRuns: Math.ceil(RUNS / 3), ...(RUNS === 30 && { seed: 7 }) });
    for (const store of stores) await store.close();
  });
});
