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

describe('the bill of materials', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'scripts', 'sbom.mjs')], {
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  const { bomFormat, components } = JSON.parse(stdout) as Bom;
  const names = new Set(components.map(({ name }) => name));

  it('is a CycloneDX document that names each package once, with the hash that it is installed by', () => {
    assert.equal(bomFormat, 'CycloneDX');
    assert.equal(new Set(components.map(({ purl }) => purl)).size, components.length);
    for (const { purl, hashes } of components) {
      assert.match(purl, /^pkg:npm\/(?:%40[^/]+\/)?[^@/]+@\d/);
      assert.match(hashes[0]?.content ?? '', /^[0-9a-f]{128}$/);
    }
  });

  it('names what the product needs, also where a tool of developers needs it too', () => {
    for (const name of ['express', 'undici', 'yaml', 'qs', 'pg-types', 'better-sqlite3', 'sirv'])
      assert.ok(names.has(name), name);
  });

  it('names what is built into the pages, and what that needs in turn', () => {
    for (const name of ['react', 'react-dom', 'scheduler', 'preact', '@patternfly/react-core', 'wouter'])
      assert.ok(names.has(name), name);
  });

  it('names nothing that only builds or tests it', () => {
    for (const name of ['mocha', 'typescript', 'vite', 'eslint', 'playwright-core'])
      assert.ok(!names.has(name), name);
  });
});
