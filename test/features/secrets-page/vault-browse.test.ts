import assert from 'node:assert/strict';
import type { VaultBrowseQuery, VaultFolder } from '../../../src/features/secrets-page/vault-browse-view.js';
import { createVaultBrowse } from '../../../src/features/secrets-page/vault-browse.js';
import { findReferences } from '../../../src/secrets/find-references.js';
import type { ActiveSnapshot } from '../../../src/server/state/snapshot.js';
import { column } from '../../support/columns.js';

const FIELDS = ['client_secret', 'password', 'tab\there', '/pointer'];

function browse(query: Partial<VaultBrowseQuery>, names: readonly string[] = []): Promise<VaultFolder> {
  const value = { vault: { adapterScope: '' }, key: '$VAULT_gatehouse#client_secret' };
  const main = { written: { value }, references: findReferences(value).references };
  const snapshot = { desired: { files: { main, adapters: [] } } } as unknown as ActiveSnapshot;
  const secrets = names.map((name) => ({ name, isFolder: false, isSecret: true }));
  const browser = { listFolder: () => Promise.resolve(secrets), listFields: () => Promise.resolve(FIELDS) };
  const run = createVaultBrowse({ current: { current: () => snapshot }, browser });
  return run({ adapter: 'a', path: undefined, contains: '', skip: 0, limit: 10, ...query }).then((result) => {
    if ('refused' in result) throw new Error(result.refused);
    return result;
  });
}

describe('createVaultBrowse', () => {
  it('marks the field of a secret that the main file uses, which adapters must not use', async () => {
    const { secret } = await browse({ path: 'gatehouse' });
    const fields = secret.fields.map(({ name, refusal }) => `${name} ${refusal !== null}`);
    assert.deepEqual(fields, ['client_secret true', 'password false', '/pointer false']);
  });

  it('leaves out names that no reference can have', async () => {
    const { entries } = await browse({}, ['a.', 'b\\c', 'd\u0000', 'e f', 'g%h', '..']);
    assert.deepEqual(column(entries.results, 'path'), ['e%20f', 'g%25h']);
    assert.equal(entries.total, 2);
  });
});
