import { openAuditTrail } from '../../src/audit/open-audit-trail.js';
import { openStore } from '../../src/storage/open-store.js';
import { auditRecord } from '../support/audit-record.js';

// Appends records to the store until it is killed, several at a time, and prints the id of each that was acknowledged.
const [url = '', prefix = ''] = process.argv.slice(2);
const store = await openStore(url);
const trail = await openAuditTrail({ file: '', durability: 'store' }, { store: store.audit });
for (let round = 0; ; round += 1) {
  const ids = [0, 1, 2].map((at) => `${prefix}-${round}-${at}`);
  await Promise.all(
    ids.map(async (id) => {
      await trail.append(auditRecord(id));
      process.stdout.write(`${id}\n`);
    }),
  );
  await new Promise((resolve) => setImmediate(resolve));
}
