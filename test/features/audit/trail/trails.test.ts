import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { AuditTrail, ChainVerification } from '../../../../src/features/audit/audit-trail.js';
import { keyFileOf, readKeyFile } from '../../../../src/features/audit/trail/key.js';
import { openAuditTrail } from '../../../../src/features/audit/trail/open-audit-trail.js';
import { verifyFiles, verifyStore } from '../../../../src/features/audit/trail/verify.js';
import { openStore } from '../../../../src/features/open-store.js';
import { type AuditPlace, auditContract } from '../../../contracts/audit-contract.js';
import { killWriter } from '../../../support/kill-writer.js';
import { POSTGRES } from '../../../support/need-list.js';
import { describeWith, itWith } from '../../../support/needs.js';
import { openedBySuite } from '../../../support/opened.js';
import { startPostgres } from '../../../support/postgres-server.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

function storePlace(url: () => string): AuditPlace {
  return {
    async open(): Promise<AuditTrail> {
      const store = await openStore(url());
      const trail = await openAuditTrail({ file: '', durability: 'store' }, { store: store.audit });
      return { ...trail, close: () => trail.close().then(() => store.close()) };
    },
    verify: () => verifyUrl(url()),
  };
}

async function verifyUrl(url: string): Promise<ChainVerification> {
  const store = await openStore(url);
  const verification = await verifyStore(store.audit);
  await store.close();
  return verification;
}

describe('an audit trail in a file', () => {
  const file = join(temporaryFolder().path, 'audit.log');
  auditContract({
    open: () => openAuditTrail({ file, durability: 'written' }, {}),
    verify: async () => verifyFiles({ files: [file], key: (await readKeyFile(keyFileOf(file))) ?? '' }),
  });
});

describe('an audit trail in SQLite', () => {
  const folder = temporaryFolder();
  auditContract(storePlace(() => `sqlite:${join(folder.path, 'gatehouse.db')}`));
});

describeWith(POSTGRES, 'an audit trail in PostgreSQL', () => {
  let url = '';
  const opened = openedBySuite();

  before(async () => {
    const server = await opened(startPostgres());
    url = await server.newUrl();
  });

  auditContract(storePlace(() => url));
});

const SCRIPT = new URL('../../../storage/audit-writer.js', import.meta.url);

describe('one audit chain with several writing processes', () => {
  const folder = temporaryFolder();
  const opened = openedBySuite();

  /** Runs two processes that write until they are killed. All acknowledged records must be in one chain. */
  async function race(url: string): Promise<void> {
    const writers = ['a', 'b'].map((prefix) => killWriter({ script: SCRIPT, args: [url, prefix] }, 40));
    const acknowledged = (await Promise.all(writers)).flat();
    const store = await openStore(url);
    const kept = new Set((await store.recentAudit(100_000)).map(({ requestId }) => requestId));
    await store.close();
    assert.ok(acknowledged.length >= 80);
    for (const id of acknowledged) assert.ok(kept.has(id), id);
    const verification = await verifyUrl(url);
    assert.deepEqual([verification.break, verification.records], [undefined, kept.size]);
  }

  it('stays one chain in SQLite', () => race(`sqlite:${join(folder.path, 'race.db')}`));

  itWith(POSTGRES, 'stays one chain in PostgreSQL', async () => {
    const server = await opened(startPostgres());
    await race(await server.newUrl());
  });
});
