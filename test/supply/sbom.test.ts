import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '../docs/markdown.js';

interface Bom {
  readonly bomFormat: string;
  readonly components: readonly {
    readonly name: string;
    readonly version: string;
    readonly purl: string;
    readonly hashes: readonly { readonly alg: string; readonly content: string }[];
  }[];
}

describe('the software bill of materials', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'scripts', 'sbom.mjs')], {
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  const { bomFormat, components } = JSON.parse(stdout) as Bom;
  const names = new Set(components.map(({ name }) => name));

  it('is a CycloneDX document that lists each package once with its integrity hash', () => {
    assert.equal(bomFormat, 'CycloneDX');
    assert.equal(new Set(components.map(({ purl }) => purl)).size, components.length);
    for (const { purl, hashes } of components) {
      assert.match(purl, /^pkg:npm\/(?:%40[^/]+\/)?[^@/]+@\d/);
      assert.match(hashes[0]?.content ?? '', /^[0-9a-f]{128}$/);
    }
  });

  it('lists the dependencies of the product, also if development tools share them', () => {
    for (const name of ['express', 'undici', 'yaml', 'qs', 'pg-types', '@photostructure/sqlite', 'sirv'])
      assert.ok(names.has(name), name);
  });

  it('lists the packages that are built into the pages, with their dependencies', () => {
    for (const name of ['react', 'react-dom', 'scheduler', 'preact', '@tanstack/react-query', 'wouter'])
      assert.ok(names.has(name), name);
  });

  it('omits packages that only build or test the product', () => {
    for (const name of ['mocha', 'typescript', 'vite', 'oxlint', '@textlint/kernel', 'playwright-core'])
      assert.ok(!names.has(name), name);
  });
});
