import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openStore } from '../../src/features/open-store.js';
import { STRACE } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { temporaryFolder } from '../support/temporary-folder.js';

describeWith(STRACE, 'the store on a disk that fails to sync', () => {
  const folder = temporaryFolder();
  const script = fileURLToPath(new URL('failing-writer.js', import.meta.url));

  it('refuses writes that are not durable, reopens the database, and continues', async () => {
    const path = join(folder.path, 'gatehouse.db');
    await (await openStore(`sqlite:${path}`)).close();
    const trace = join(folder.path, 'trace');
    const syncs = 'fsync,fdatasync';
    const faults = ['-e', `trace=openat,${syncs}`, '-e', `inject=${syncs}:error=EIO:when=20..24`];
    const strace = ['-f', '-o', trace, ...faults, process.execPath, script, `sqlite:${path}`];
    const { status, stdout } = spawnSync('strace', strace, { encoding: 'utf8' });
    assert.equal(status, 0);

    const idsOf = (word: string): readonly string[] =>
      [...stdout.matchAll(new RegExp(`^${word} (\\w+)$`, 'gm'))].map(([, id = '']) => id);
    const [kept, refused] = [idsOf('kept'), idsOf('refused')];
    assert.ok(refused.length > 0);
    assert.equal(kept.at(-1), 'r39', 'it works again');

    const afterFault = readFileSync(trace, 'utf8').split('(INJECTED)').slice(1).join('');
    assert.match(afterFault, /openat\([^\n]*gatehouse\.db"/);

    const store = await openStore(`sqlite:${path}`);
    const stored = new Set((await store.recentAudit(100)).map(({ requestId }) => requestId));
    await store.close();
    for (const id of kept) assert.ok(stored.has(id), id);
  });
});
