import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NODE_RANGE, unsupportedNode } from '../../src/cli/node-version.js';
import { ROOT } from '../docs/markdown.js';

describe('the check of the version of Node.js', () => {
  it('has the range of package.json', () => {
    const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      readonly engines: { readonly node: string };
    };
    assert.equal(NODE_RANGE, engines.node);
  });

  it('says in one line that an old version does not run the command, and which ones do', () => {
    for (const version of ['18.20.8', '20.18.3', '21.7.3', '22.11.0', '23.11.1', '16.0.0'])
      assert.match(
        unsupportedNode(version) ?? '',
        /^Node\.js [\d.]+ is not supported \(.+\)\. Install Node\.js 22 or 24 \(supported: [^\n]+\)/,
        version,
      );
    for (const version of ['20.19.0', '22.12.0', '22.23.5', '24.0.0', '25.1.0', process.versions.node])
      assert.equal(unsupportedNode(version), undefined, version);
  });

  it('runs before any other module is loaded', () => {
    const source = (name: string) => readFileSync(join(ROOT, 'src/cli', name), 'utf8');
    const imports = (name: string) => [...source(name).matchAll(/^import .*/gm)].map(([line]) => line);
    assert.deepEqual(imports('gatehouse.ts'), [
      "import { keepCompiledCode } from './compile-cache.js';",
      "import { unsupportedNode } from './node-version.js';",
    ]);
    const ofNode = / from 'node:[\w/]+';$/;
    assert.deepEqual(
      imports('compile-cache.ts').filter((line) => !ofNode.test(line)),
      ["import { createFolder } from '../lib/create-folder.js';"],
    );
    assert.ok(imports('../lib/create-folder.ts').every((line) => ofNode.test(line)));
    assert.deepEqual(imports('node-version.ts'), []);
    assert.match(readFileSync(join(ROOT, 'scripts/bundle.js'), 'utf8'), /gatehouse: .*'gatehouse\.js'/);
  });
});
