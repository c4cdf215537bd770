import { openStore } from '../../src/storage/open-store.js';
import { auditRecord } from '../support/audit-record.js';

// Appends records to the store until it is killed, and prints the id of each that was acknowledged.
const [url = '', prefix = ''] = process.argv.slice(2);
const store = await openStore(url);
for (let at = 0; ; at += 1) {
  await store.appendAudit(auditRecord(`${prefix}-${at}`));
  process.stdout.write(`${prefix}-${at}\n`);
  await new Promise((resolve) => setImmediate(resolve));
}
