import { openAuditTrail } from '../../src/audit/open-audit-trail.js';
import { auditRecord } from '../support/audit-record.js';

// Appends records to the file in batches until the process is killed, and prints the id of each acknowledged
// record.
const [file = '', prefix = ''] = process.argv.slice(2);
const trail = await openAuditTrail({ file, durability: 'fsync' }, {});
for (let round = 0; ; round += 1) {
  const ids = Array.from({ length: 5 }, (_, at) => `${prefix}-${round}-${at}`);
  await Promise.all(
    ids.map(async (id) => {
      await trail.append(auditRecord(id, { outcome: 'x'.repeat(2000) }));
      process.stdout.write(`${id}\n`);
    }),
  );
}
