import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  cataloguePackage,
  catalogueTypes,
  packageOfCatalogueType,
} from '../../src/adapters/plugin-packages.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** Creates a folder with installed packages, each with one file of the given name. */
function homeWith(...packages: readonly (readonly [name: string, file: string])[]): string {
  const { path } = temporaryFolder();
  for (const [name, file] of packages) {
    mkdirSync(join(path, 'node_modules', name), { recursive: true });
    writeFileSync(join(path, 'node_modules', name, file), '{}');
  }
  return path;
}

describe('catalogue packages', () => {
  const home = homeWith(
    ['@acme/adapter-psirt', 'pronghorn.json'],
    ['adapter-nokia_nsp', 'pronghorn.json'],
    ['@acme/adapter-other', 'package.json'],
    ['@acme/app-tool', 'pronghorn.json'],
  );

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
    const both = homeWith(
      ['adapter-psirt', 'pronghorn.json'],
      ['@b/adapter-psirt', 'pronghorn.json'],
      ['@a/adapter-psirt', 'pronghorn.json'],
    );
    assert.equal(packageOfCatalogueType('psirt', both), '@a/adapter-psirt');
    assert.equal(packageOfCatalogueType('nokia_nsp', home), 'adapter-nokia_nsp');
    for (const type of ['other', 'tool', '@acme/adapter-psirt', ''])
      assert.equal(packageOfCatalogueType(type, home), undefined, type);
  });
});
