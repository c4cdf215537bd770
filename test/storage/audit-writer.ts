import { openAuditTrail } from '../../src/features/audit/trail/open-audit-trail.js';
import { openStore } from '../../src/features/open-store.js';
import { auditRecord } from '../support/audit-record.js';

// Appends records to a store or a file until it is killed, several at a time, and prints the id of each that was acknowledged.
const [place = '', prefix = ''] = process.argv.slice(2);
const trail = place.startsWith('/')
  ? await openAuditTrail({ file: place, durability: 'fsync' }, {})
  : await openAuditTrail({ file: '', durability: 'store' }, { store: (await openStore(place)).audit });
for (let round = 0; ; round += 1) {
  const ids = [0, 1, 2].map((at) => `${prefix}-${round}-${at}`);
  await Promise.all(
    ids.map(async (id) => {
      await trail.append(auditRecord(id, { outcome: 'x'.repeat(2000) }));
      process.stdout.write(`${id}\n`);
    }),
  );
  await new Promise((resolve) => setImmediate(resolve));
}
