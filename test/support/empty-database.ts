import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openStore } from '../../src/features/open-store.js';

/** Content of a database with all tables and no rows: creating the tables takes 30 ms of CPU time. */
let content: Promise<Buffer> | undefined;

/** Writes an empty database with all tables, unless the file exists. */
export async function writeEmptyDatabase(path: string): Promise<void> {
  if (existsSync(path)) return;
  content ??= createContent();
  const bytes = await content;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, bytes, { mode: 0o600 });
}

async function createContent(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-database-'));
  try {
    const path = join(folder, 'empty.db');
    const store = await openStore(`sqlite:${path}`);
    await store.close();
    return readFileSync(path);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
