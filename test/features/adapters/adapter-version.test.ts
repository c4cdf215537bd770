import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAdapterVersions } from '../../../src/features/adapters/adapter-version.js';
import { VERSION } from '../../../src/lib/version.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

type Versioned = Parameters<ReturnType<typeof createAdapterVersions>>[0];

function adapterOf(value: Readonly<Record<string, unknown>>): Versioned {
  return { plugin: { type: String(value['plugin']) }, written: { value } } as unknown as Versioned;
}

describe('the version of an adapter', () => {
  const versionOf = createAdapterVersions({
    types: ['restconf'],
    versionOf: (name) => (name === '@acme/plugin' ? '3.2.1' : undefined),
  });

  it('is that of an npm package, and the latest release of the changelog of a plugin of the product', () => {
    assert.equal(versionOf(adapterOf({ plugin: '@acme/plugin' })), '3.2.1');
    assert.match(versionOf(adapterOf({ plugin: 'restconf' })), /^\d+\.\d+\.\d+$/);
  });

  it('is that in the folder of a catalog adapter, also after the folder has changed', () => {
    const { path: folder } = temporaryFolder();
    const adapter = adapterOf({ plugin: 'itential-adapter', options: { folder } });
    assert.equal(versionOf(adapter), VERSION);
    for (const version of ['0.1.0', '0.2.0']) {
      writeFileSync(join(folder, 'package.json'), JSON.stringify({ version }));
      assert.equal(versionOf(adapter), version);
    }
  });
});
