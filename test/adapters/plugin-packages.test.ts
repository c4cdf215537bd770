import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  cataloguePackage,
  catalogueTypes,
  packageOfCatalogueType,
} from '../../src/adapters/plugin-packages.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** Creates a folder with installed packages, each with a pronghorn.json unless it names another file. */
function homeWith(...packages: readonly string[]): string {
  const { path } = temporaryFolder();
  for (const text of packages) {
    const [name = '', file = 'pronghorn.json'] = text.split(' ');
    mkdirSync(join(path, 'node_modules', name), { recursive: true });
    writeFileSync(join(path, 'node_modules', name, file), '{}');
  }
  return path;
}

describe('catalogue packages', () => {
  const others = ['@acme/adapter-other package.json', '@acme/app-tool'];
  const home = homeWith('@acme/adapter-psirt', 'adapter-nokia_nsp', ...others);

  it('are packages with a pronghorn.json', () => {
    const folder = join(home, 'node_modules', '@acme', 'adapter-psirt');
    assert.equal(cataloguePackage('@acme/adapter-psirt', home), folder);
    for (const name of ['@acme/adapter-other', '@acme/adapter-none', '@acme', ''])
      assert.equal(cataloguePackage(name, home), undefined, name);
  });

  it('are found next to the configuration only, not in folders above', () => {
    mkdirSync(join(home, 'below'));
    assert.equal(cataloguePackage('@acme/adapter-psirt', join(home, 'below')), undefined);
  });

  it('are not found by a name that leads to another folder', () => {
    for (const name of ['../node_modules/adapter-nokia_nsp', '@acme/../adapter-nokia_nsp', '/etc', '.', '..'])
      assert.equal(cataloguePackage(name, home), undefined, name);
  });

  it('provide the types that clients look up: the name after "adapter-"', () => {
    assert.deepEqual(catalogueTypes(home), ['nokia_nsp', 'psirt']);
    assert.deepEqual(catalogueTypes(homeWith()), []);
  });

  it('are found by their type, the first by name', () => {
    const both = homeWith('adapter-psirt', '@b/adapter-psirt', '@a/adapter-psirt');
    assert.equal(packageOfCatalogueType('psirt', both), '@a/adapter-psirt');
    assert.equal(packageOfCatalogueType('nokia_nsp', home), 'adapter-nokia_nsp');
    for (const type of ['other', 'tool', '@acme/adapter-psirt', ''])
      assert.equal(packageOfCatalogueType(type, home), undefined, type);
  });
});
