import assert from 'node:assert/strict';
import { findReferences } from '../../../src/secrets/find-references.js';
import { refusedSecret } from '../../../src/server/state/record-restrictions.js';

describe('secrets of adapters that are registered through the API', () => {
  const main = {
    references: [],
    written: {
      value: {
        vault: {
          auth: { method: 'approle', roleIdFile: '/run/role', secretIdFile: '/run/secrets/secret_id' },
        },
        server: { tls: { keyFile: '/run/secrets/tls/server.key' } },
        secrets: { files: { root: '/run/secrets/', adapterScope: '' } },
      },
    },
  };
  const isRefused = (text: string): boolean => {
    const [located] = findReferences({ text }).references;
    assert.ok(located);
    return refusedSecret(located.reference, 'nso1', main) !== undefined;
  };

  it('are no files that the main file names, even with a scope of all files', () => {
    for (const text of [
      '$FILE_secret_id',
      '$FILE_secret_id#token',
      '$FILE_secret%5Fid',
      '$FILE_tls/server.key',
    ])
      assert.ok(isRefused(text), text);
    for (const text of ['$FILE_nso1_password', '$FILE_tls/other.key']) assert.ok(!isRefused(text), text);
  });
});
