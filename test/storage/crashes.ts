import { join } from 'node:path';
import type { Form } from '../../src/features/forms/form-store.js';
import { openStore } from '../../src/features/open-store.js';
import { formsOf } from '../support/form.js';
import { killWriter } from '../support/kill-writer.js';
import { isIntactDatabase } from '../support/sqlite.js';

interface CrashPlan {
  readonly folder: string;
  /** How often the writing process is killed with SIGKILL. */
  readonly kills: number;
  /** Stores that the process writes to at the same time; each kill is a crash of each store. */
  readonly stores: number;
  /** True acknowledges writes before they are complete. */
  readonly hasty?: boolean;
}

/** Results of the test. */
interface CrashReport {
  readonly crashes: number;
  readonly acknowledged: number;
  /** Acknowledged writes that are missing. */
  readonly lost: readonly string[];
  /** Stores that are damaged, or that contain a name twice. */
  readonly broken: readonly number[];
}

/** Kills a writing process repeatedly and checks that all acknowledged writes are kept. */
export async function crash({ folder, kills, stores, hasty = false }: CrashPlan): Promise<CrashReport> {
  const script = new URL('forms-writer.js', import.meta.url);
  const acknowledged: string[] = [];
  for (let kill = 0; kill < kills; kill += 1)
    acknowledged.push(
      ...(await killWriter(
        { script, args: [folder, `${kill}`, `${stores}`, hasty ? 'hasty' : ''] },
        stores + ((kill * 7) % 60),
      )),
    );
  const found = await Promise.all(Array.from({ length: stores }, (_, at) => checkStore(folder, at)));
  const kept = new Set(found.flatMap(({ writes }) => writes));
  return {
    crashes: kills * stores,
    acknowledged: acknowledged.length,
    lost: acknowledged.filter((write) => !kept.has(write)),
    broken: found.flatMap(({ isIntact }, at) => (isIntact ? [] : [at])),
  };
}

async function checkStore(
  folder: string,
  at: number,
): Promise<{ readonly writes: string[]; readonly isIntact: boolean }> {
  const path = join(folder, `${at}.db`);
  const store = await openStore(`sqlite:${path}`);
  const forms = await formsOf(store.forms);
  const records = await store.recentAudit(10_000_000);
  await store.close();
  return {
    writes: [
      ...forms.flatMap((form) => writesOf(form, at)),
      ...records.map(({ requestId }) => `${at} audit ${requestId}`),
    ],
    isIntact: isIntactDatabase(path) && new Set(forms.map(({ name }) => name)).size === forms.length,
  };
}

function writesOf({ id, description }: Form, at: number): readonly string[] {
  return [`${at} form ${id}`, ...(description === 'updated' ? [`${at} update ${id}`] : [])];
}
