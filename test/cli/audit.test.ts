import assert from 'node:assert/strict';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChainVerification } from '../../src/features/audit/audit-trail.js';
import { openAuditTrail } from '../../src/features/audit/trail/open-audit-trail.js';
import { openStore } from '../../src/features/open-store.js';
import { auditRecord } from '../support/audit-record.js';
import { runCommand } from '../support/command-io.js';
import { openDatabaseFile } from '../support/sqlite.js';
import { temporaryFolder } from '../support/temporary-folder.js';

type Durability = 'written' | 'store';

/** Creates a configuration with an audit trail of three records. */
async function configure(durability: Durability): Promise<{ folder: string; config: string; file: string }> {
  const { path: folder } = temporaryFolder();
  const config = join(folder, 'gatehouse.yaml');
  const file = join(folder, 'audit.log');
  writeFileSync(
    config,
    `storage: { url: "sqlite:a.db" }\naudit: { file: audit.log, durability: ${durability} }\n`,
  );
  const store = await openStore(`sqlite:${join(folder, 'a.db')}`);
  const trail = await openAuditTrail({ file, durability }, { store: store.audit });
  await Promise.all(['a', 'b', 'c'].map((id) => trail.append(auditRecord(id))));
  await trail.close();
  await store.close();
  return { folder, config, file };
}

const verify = (...args: readonly string[]) => runCommand(['audit', 'verify', ...args]);

describe('gatehouse audit verify', () => {
  for (const durability of ['written', 'store'] as const)
    it(`reports an intact trail and its last record (${durability})`, async () => {
      const { config } = await configure(durability);
      const { code, out } = await verify('--config', config);
      assert.equal(code, 0, out);
      assert.match(out, /^intact: records 1 to 3\nlast record: 3:[0-9a-f]{64}\n$/);
      const [, noted = ''] = /last record: (\S+)/.exec(out) ?? [];
      assert.equal((await verify('--config', config, '--expect', noted)).code, 0);
      const gone = await verify('--config', config, '--expect', noted.replace('3:', '4:'));
      assert.deepEqual([gone.code, gone.out.split('\n')[0]], [1, 'record 4: removed: the record is missing: the trail ends before it']); // prettier-ignore
    });

  it('reports the line of a changed record in a file', async () => {
    const { config, file } = await configure('written');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"requestId":"b"', '"requestId":"x"'));
    const { code, out } = await verify('--config', config);
    assert.equal(code, 1);
    assert.match(out, /^line 2: changed: .*\nrecords 1 to 1 before the break are unchanged\n/);
    const { code: again, out: json } = await verify('--config', config, '--json');
    const verdict = JSON.parse(json) as ChainVerification;
    assert.deepEqual([again, verdict.whole, verdict.break?.place, verdict.break?.kind], [1, false, 'line 2', 'changed']); // prettier-ignore
  });

  for (const [statement, place, kind] of [
    ["update audit set subject = 'nobody' where seq = 2", 'id 2', 'changed'],
    ['delete from audit where seq = 2', 'id 3', 'removed'],
    ['delete from audit where seq = 3', 'record 3', 'removed'],
    ['update audit set seq = null where seq = 2', 'id 2', 'changed'],
    ['delete from audit', 'record 3', 'removed'],
  ] as const)
    it(`reports the row of a changed store: ${statement}`, async () => {
      const { folder, config } = await configure('store');
      const database = openDatabaseFile(join(folder, 'a.db'));
      database.exec(statement);
      database.close();
      const { code, out } = await verify('--config', config, '--json');
      const verdict = JSON.parse(out) as ChainVerification;
      assert.deepEqual([code, verdict.break?.place, verdict.break?.kind], [1, place, kind]);
    });

  it('verifies moved files with a key and without a configuration', async () => {
    const { file } = await configure('written');
    renameSync(file, `${file}.1`);
    const { code, out } = await verify('--key', `${file}.key`, `${file}.1`);
    assert.equal(code, 0, out);
  });

  it('explains which file or option is missing', async () => {
    const { file, folder } = await configure('written');
    const noKey = await verify('--key', join(folder, 'none'), file);
    assert.equal(noKey.code, 1);
    assert.match(noKey.err, /none does not exist\. Name the key/);
    const noFile = await verify('--key', `${file}.key`, join(folder, 'none'));
    assert.equal(noFile.code, 1);
    assert.match(noFile.err, /does not exist; correct the path/);
    for (const args of [['--expect', '3'], ['--key', 'x'], ['--colour']])
      assert.equal((await verify(...args)).code, 64, args.join(' '));
    assert.match((await runCommand(['audit'])).err, /name a command: verify/);
  });
});
