import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChainedRecord } from '../../src/features/audit/chain.js';
import { keyFileOf, readKeyFile } from '../../src/features/audit/trail/key.js';
import { openAuditTrail } from '../../src/features/audit/trail/open-audit-trail.js';
import { verifyFiles } from '../../src/features/audit/trail/verify.js';
import { auditRecord } from '../../test/support/audit-record.js';

/** Results of the check. */
interface ChangeReport {
  readonly bytes: number;
  readonly changes: number;
  /** Changes that the chain did not show. */
  readonly unnoticed: number;
}

/** Writes a trail of `records` records, and verifies every trail that differs from it in one byte. */
export async function changeBytes(folder: string, records: number): Promise<ChangeReport> {
  const file = join(folder, 'trail.log');
  const trail = await openAuditTrail({ file, durability: 'written' }, {});
  for (let at = 0; at < records; at += 1) await trail.append(auditRecord(`record-${at}`));
  await trail.close();
  const bytes = readFileSync(file);
  const expected = JSON.parse(bytes.toString().trimEnd().split('\n').at(-1) ?? '') as ChainedRecord;
  const key = (await readKeyFile(keyFileOf(file))) ?? '';
  const isWhole = async (name: string, text: Buffer): Promise<boolean> => {
    writeFileSync(join(folder, name), text);
    return (await verifyFiles({ files: [join(folder, name)], key, expected })).whole;
  };
  if (!(await isWhole('copy', bytes))) throw new Error('the trail is not whole as it was written');
  const count = { changes: 0, unnoticed: 0 };
  for (let at = 0; at < bytes.length; at += 1) {
    const taken = await Promise.all(masks.map((mask) => isWhole(`${mask}`, changedAt(bytes, at, mask))));
    count.changes += taken.length;
    count.unnoticed += taken.filter(Boolean).length;
  }
  return { bytes: bytes.length, ...count };
}

/** XOR masks that turn a byte into each other value. */
const masks = Array.from({ length: 255 }, (_, at) => at + 1);

function changedAt(bytes: Buffer, at: number, mask: number): Buffer {
  const changed = Buffer.from(bytes);
  changed[at] = bytes[at]! ^ mask;
  return changed;
}
