import type { FileHandle } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { type AuditPage, type AuditQuery, beginPage } from '../core/audit-query.js';
import { Problem } from '../core/problem.js';
import { readAuditLine } from './audit-line.js';
import { linesBack, openIfThere } from './read-backward.js';

/** Bytes that one search reads at most. */
const SEARCHED = 33_554_432;

/** Lines after which others get their turn. */
const TURN = 500;

/** Records of an audit file, newest first; lines that are no records are passed over. */
export async function findInFile(path: string, query: AuditQuery, searched = SEARCHED): Promise<AuditPage> {
  const file = await openIfThere(path);
  // One that was moved away is made anew by the next record.
  if (!file) return { results: [] };
  try {
    return await search(file, query, searched);
  } finally {
    await file.close();
  }
}

async function search(file: FileHandle, query: AuditQuery, searched: number): Promise<AuditPage> {
  const { ino, size } = await file.stat();
  const begin = beginAt(query.before, { ino, size });
  const page = beginPage(query);
  let count = 0;
  for await (const { bytes, start } of linesBack(file, begin)) {
    const record = readAuditLine(bytes);
    const cursor = `${ino}-${start}`;
    const full = record && page.offer(record, cursor);
    if (full) return full;
    if (begin - start >= searched && start > 0) return page.stop(cursor);
    count += 1;
    if (count % TURN === 0) await setImmediate();
  }
  return page.end();
}

/** A cursor names the file, so that one of a file that was moved away is not taken for a place in the new one. */
function beginAt(before: string | undefined, { ino, size }: { ino: number; size: number }): number {
  if (before === undefined) return size;
  const [, file, place] = /^(\d{1,20})-(\d{1,15})$/.exec(before) ?? [];
  if (file === String(ino) && Number(place) <= size) return Number(place);
  const detail = 'before is no cursor of the audit file as it is now: begin again without it.';
  throw new Problem('invalid_request', detail);
}
