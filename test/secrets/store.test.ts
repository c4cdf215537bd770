import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { openSecrets } from '../../src/secrets/open-secrets.js';
import { openHttpClient } from '../../src/upstream/client.js';
import { secretStoreContract, type SecretStoreBench } from '../contracts/secret-store-contract.js';
import { createFakeScheduler } from '../support/fake-scheduler.js';
import { registerInput } from '../support/input-file.js';
import { memoryLog } from '../support/memory-log.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { createRotationBench } from './rotation-bench.js';

describe('secrets in Vault as a store of secrets', () => {
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

function openFileBench(): SecretStoreBench {
  const folder = temporaryFolder();
  const { log, lines } = memoryLog();
  const files = { root: folder.path, maxBytes: 65_536, pollSeconds: 10, adapterScope: '' };
  const source = openSecrets(
    { vault: null, secrets: { files } },
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
