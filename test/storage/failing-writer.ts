import { openStore } from '../../src/features/open-store.js';
import { auditRecord, seal } from '../support/audit-record.js';

// Appends forty records sequentially, and prints for each whether it was kept.
const store = await openStore(process.argv[2] ?? '');
for (let at = 0; at < 40; at += 1) {
  const kept = await store.audit.append([auditRecord(`r${at}`)], seal).then(
    () => true,
    () => false,
  );
  process.stdout.write(`${kept ? 'kept' : 'refused'} r${at}\n`);
}
await store.close();
