import assert from 'node:assert/strict';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { findReferences } from '../../src/secrets/find-references.js';
import { openSecrets } from '../../src/secrets/open-secrets.js';
import type { SecretFileSettings } from '../../src/settings/secret-files.js';
import { openHttpClient } from '../../src/upstream/client.js';
import { secretStoreContract, type SecretStoreBench } from '../contracts/secret-store-contract.js';
import { column } from '../support/columns.js';
import { createFakeScheduler } from '../support/fake-scheduler.js';
import { registerInput } from '../support/input-file.js';
import { memoryLog } from '../support/memory-log.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { createRotationBench, type RotationBench } from './rotation-bench.js';

describe('S-02 and S-07 secrets in Vault as a store of secrets', () => {
  secretStoreContract(async () => {
    const bench = await createRotationBench();
    const { source, log, changes, vault } = bench;
    const versions = new Map<string, number>();
    return {
      source,
      log,
      changes,
      put: (path, members) => {
        versions.set(path, (versions.get(path) ?? 0) + 1);
        vault.putSecret({ path }, members);
        return Promise.resolve();
      },
      remove: (path) => {
        vault.deleteVersion({ path }, versions.get(path) ?? 0);
        return Promise.resolve();
      },
      reference: (path, member) => `$VAULT_${path}#${member}`,
      close: () => bench.close(),
    };
  });
});

describe('secrets in files as a store of secrets', () => {
  secretStoreContract(() => Promise.resolve(openFileBench()));
});

describe('one source of Vault and files', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let bench: RotationBench;
  beforeEach(async () => {
    folder = temporaryFolder();
    bench = await createRotationBench({ files: fileSettings(folder.path) });
    bench.vault.putSecret({ path: 'a' }, { user: 'c4n4ry-user-1' });
    await writeSecret('b', 'c4n4ry-password-1');
    await bench.use({ nso: { password: '$FILE_b', user: '$VAULT_a#user' } });
  });
  afterEach(async () => {
    await bench.close();
    folder.remove();
  });

  const writeSecret = (name: string, text: string): Promise<void> =>
    writeFile(join(folder.path, name), text, { mode: 0o600 });

  it('resolves references of both at once', async () => {
    const expected = { password: 'c4n4ry-password-1', user: 'c4n4ry-user-1' };
    assert.deepEqual(await bench.values('nso', 'read'), expected);
  });

  it('announces a change in both once', async () => {
    bench.vault.putSecret({ path: 'a' }, { user: 'c4n4ry-user-2' });
    await writeSecret('b', 'c4n4ry-password-2');
    await bench.source.refresh();
    assert.deepEqual(bench.changes, [['nso']]);
    assert.deepEqual(await bench.values('nso'), { password: 'c4n4ry-password-2', user: 'c4n4ry-user-2' });
  });

  it('has one state, in which the state of Vault is not that of files', async () => {
    await rm(join(folder.path, 'b'));
    await bench.source.refresh();
    assert.deepEqual([bench.source.status().state, bench.source.vaultState()], ['degraded', 'running']);
    bench.vault.seal();
    await bench.source.refresh();
    assert.equal(bench.source.vaultState(), 'degraded');
    assert.deepEqual(Object.fromEntries(bench.source.status().errors), { gone: 2, unavailable: 1 });
  });

  it('lists the references to Vault before those to files', () => {
    assert.deepEqual(column(bench.source.inUse(), 'reference'), ['$VAULT_a#user', '$FILE_b']);
  });

  it('finds a value that changed in either after a refusal by the orchestrator', async () => {
    await writeSecret('b', 'c4n4ry-password-2');
    assert.equal(await bench.source.refreshAfterRefusal('nso'), true);
    await bench.pass(1);
    assert.equal(await bench.source.refreshAfterRefusal('nso'), false);
  });

  it('checks references to both without a value', async () => {
    const { references } = findReferences({ a: '$VAULT_a#user', b: '$FILE_b', c: '$FILE_none' });
    const checked = await bench.source.check(references);
    const found = checked.map(({ pointer, path, failure }) => [pointer, path, failure?.code]);
    assert.deepEqual(found, [
      ['/a', 'secret/subkeys/a', undefined],
      ['/b', 'b', undefined],
      ['/c', 'none', 'FILE_NOT_FOUND'],
    ]);
    assert.ok(!JSON.stringify(checked).includes('c4n4ry'));
  });
});

function fileSettings(root: string): SecretFileSettings {
  return { root, maxBytes: 65_536, pollSeconds: 10, adapterScope: '' };
}

function openFileBench(): SecretStoreBench {
  const folder = temporaryFolder();
  const { log, lines } = memoryLog();
  const source = openSecrets(
    { vault: null, secrets: { files: fileSettings(folder.path) } },
    { openHttpClient, env: {}, scheduler: createFakeScheduler(), log },
  );
  const changes: (readonly string[])[] = [];
  source.onChange((owners) => changes.push([...owners].sort()));
  return {
    source,
    log: lines,
    changes,
    put: async (path, members) => {
      const file = join(folder.path, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(`${file}.next`, JSON.stringify(members), { mode: 0o600 });
      await rename(`${file}.next`, file);
      registerInput(file);
    },
    remove: (path) => rm(join(folder.path, path)),
    reference: (path, member) => `$FILE_${path}#${member}`,
    close: async () => {
      await source.close();
      folder.remove();
    },
  };
}
