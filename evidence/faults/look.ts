import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Writable } from 'node:stream';
import { verifyAudit } from '../../src/cli/audit.js';
import { systemScheduler } from '../../src/lib/clock.js';
import { createServer } from '../../src/server/create-server.js';
import type { Server } from '../../src/server/running-server.js';
import { callUrl } from '../../test/support/call.js';
import { isIntactDatabase } from '../../test/support/sqlite.js';
import { type Kept, issueToken } from './changes.js';

/**
 * Returns the data that a restart without faults returns. Otherwise returns the reason why the restart
 * failed, or the damage that it found.
 */
export async function lookAfterRestart(configPath: string): Promise<Kept | { readonly fault: string }> {
  const folder = dirname(configPath);
  try {
    const env = {};
    const logStream = new Writable({
      write: (_chunk, _encoding, done) => {
        done();
      },
    });
    const running = await createServer({ configPath, env, clock: systemScheduler, logStream });
    const kept = await keptOf(running, folder);
    const verdict = await verifyAudit({
      input: { configPath, env },
      files: [],
      keyFile: undefined,
      expected: undefined,
    });
    if (!verdict.whole) return { fault: `the audit trail is broken: ${verdict.break?.message ?? ''}` };
    if (!isIntactDatabase(join(folder, 'data', 'gatehouse.db'))) return { fault: 'the database is damaged' };
    return kept;
  } catch (error) {
    return { fault: `no clean start: ${String(error)}` };
  }
}

/** Returns the data of a server, and closes it. */
async function keptOf(running: Server, folder: string): Promise<Kept> {
  try {
    return await keptBy(running.url, folder);
  } finally {
    await running.close();
  }
}

async function keptBy(url: string, folder: string): Promise<Kept> {
  const token = await issueToken(folder);
  const list = async <T>(path: string): Promise<readonly T[]> => {
    const { json } = await callUrl(`${url}${path}`, {
      method: 'GET',
      token,
      headers: { connection: 'close' },
    });
    return (
      Array.isArray(json) ? json : (json as { readonly results: readonly T[] }).results
    ) as readonly T[];
  };
  const forms = await list<{ readonly name: string; readonly description: string }>('/json-forms/forms');
  const tasks = await list<{ readonly id: string }>('/json-forms/tasks');
  const profiles = await list<{ readonly profile: { readonly id: string } }>('/profiles');
  return {
    forms: new Map(forms.map(({ name, description }) => [name, description])),
    tasks: new Set(tasks.map(({ id }) => id)),
    profiles: new Set(profiles.map(({ profile }) => profile.id)),
    requestIds: new Set(recorded(join(folder, 'data', 'audit.log'))),
  };
}

/** Returns the request ids in an audit file; the check of the chain covers torn lines. */
function recorded(file: string): readonly string[] {
  return [...readFileSync(file, 'utf8').matchAll(/"requestId":"([^"]+)"/g)].map(([, id = '']) => id);
}
