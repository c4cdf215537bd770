import { setImmediate } from 'node:timers/promises';
import type { ChainHead } from '../core/audit-chain.js';
import type { AuditRow, AuditStore } from '../core/audit-store.js';
import { auditKey } from './key.js';
import { isChained, readAuditLine } from './audit-line.js';
import { type FileLine, linesAhead } from './read-forward.js';
import { type Found, type ChainVerification, Verifier } from './verifier.js';

export interface FilesToVerify {
  /** One chain, oldest file first. */
  readonly files: readonly string[];
  /** 64 hexadecimal digits. */
  readonly key: string;
  /** A record that must be there. */
  readonly expected?: ChainHead | undefined;
}

/** Follows a chain through files to its first break. A server may append to the last of them meanwhile. */
export async function verifyFiles({ files, key, expected }: FilesToVerify): Promise<ChainVerification> {
  const verifier = new Verifier(auditKey(key), expected ? [expected] : []);
  for (const file of files) {
    const name = files.length > 1 ? `${file}, ` : '';
    if (!(await verifyFile(verifier, file, name))) break;
  }
  return verifier.end();
}

async function verifyFile(verifier: Verifier, path: string, name: string): Promise<boolean> {
  let number = 0;
  let isTorn = false;
  for await (const lines of linesAhead(path)) {
    for (const line of lines) {
      number += 1;
      isTorn = !line.isWhole;
      if (!verifier.take(foundOn(line, `${name}line ${number}`))) return false;
    }
  }
  return verifier.endPart(isTorn);
}

function foundOn({ bytes, start, isWhole }: FileLine, place: string): Found {
  const line = isWhole ? readAuditLine(bytes.subarray(0, -1)) : undefined;
  if (line && isChained(line)) return { place, record: line, bytes, start };
  return { place, bytes, start, isFormer: line !== undefined };
}

/** Follows the chain of the store to its first break. Servers may append to it meanwhile. */
export async function verifyStore(
  store: Pick<AuditStore, 'key' | 'head' | 'rows'>,
  expected?: ChainHead,
): Promise<ChainVerification> {
  // The end that the store knows of is read first: later rows may come, this one must.
  const anchors = [await store.head(), ...(expected ? [expected] : [])];
  const verifier = new Verifier(auditKey(await store.key()), anchors);
  for await (const rows of store.rows()) {
    if (!rows.every((row) => verifier.take(foundIn(row)))) break;
    await setImmediate();
  }
  verifier.endPart(false);
  return verifier.end();
}

function foundIn({ id, entry }: AuditRow): Found {
  return isChained(entry) ? { place: `id ${id}`, record: entry } : { place: `id ${id}`, isFormer: true };
}
