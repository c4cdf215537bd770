import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../support/command-io.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { yang11 } from '../support/yang.js';

const MAIN = yang11(
  'm',
  `import t { prefix t; } feature f; container c { leaf a { type t:t; } leaf b { if-feature f; type int8; }
   list l { key k; leaf k { type string; } leaf s { config false; type string; mandatory true; } } } rpc r;`,
);

describe('gatehouse yang', () => {
  const folder = temporaryFolder().path;
  const main = join(folder, 'm.yang');
  const parts = join(folder, 'parts');
  mkdirSync(parts);
  writeFileSync(main, MAIN);
  writeFileSync(join(folder, 'bad.yang'), 'module bad {\n  leaf a;\n  laef b;\n}\n');
  writeFileSync(
    join(parts, 't@2024-01-31.yang'),
    yang11('t', 'revision 2024-01-31; typedef t { type string; }'),
  );
  writeFileSync(
    join(parts, 'd.yang'),
    yang11('d', 'import m { prefix m; } deviation /m:c/m:a { deviate not-supported; }'),
  );
  const yang = (...args: readonly string[]) => runCommand(['yang', ...args]);

  it('prints the schema of a module', async () => {
    const { code, out, err } = await yang(main);
    assert.deepEqual([code, err], [0, '']);
    const printed = JSON.parse(out) as { module: string; schema: { properties: object } };
    assert.deepEqual([printed.module, Object.keys(printed.schema.properties)], ['m', ['m:c']]);
  });

  it('prints a list of schemas when several modules are named', async () => {
    const { out } = await yang(main, join(parts, 't@2024-01-31.yang'));
    assert.deepEqual(
      (JSON.parse(out) as { module: string }[]).map(({ module }) => module),
      ['m', 't'],
    );
  });

  it('prints the tree', async () => {
    const { out } = await yang(main, '--format', 'tree');
    assert.equal(
      out,
      `module: m
  +--rw c
     +--rw a?    t
     +--rw b?    int8
     +--rw l* [k]
        +--rw k    string
        +--ro s    string

  rpcs:
    +---x r
       +---w input
       +--ro output
`,
    );
  });

  it('prints a line for each data node', async () => {
    const { out } = await yang(main, '--format', 'jtox-like', '--feature', 'm:');
    assert.equal(out.split('\n')[1], '/m:c/a leaf t');
    assert.ok(!out.includes('/m:c/b') && out.includes('/m:c/l/s leaf string ro'));
  });

  it('applies the deviations of a module', async () => {
    const { out } = await yang(main, '--format', 'jtox-like', '--deviation', 'd');
    assert.ok(!out.includes('/m:c/a'));
  });

  it('reports every fault with its position and exits with 1', async () => {
    const { code, out, err } = await yang(join(folder, 'bad.yang'));
    assert.deepEqual([code, out], [1, '']);
    assert.ok(err.includes('bad.yang:2:3: "leaf" needs a "type" inside'));
    assert.ok(err.includes('bad.yang:3:3: "laef" is not a statement of YANG'));
    assert.match(err, /4 faults\n$/);
  });

  for (const [args, expected] of [
    [[], /name at least one file/],
    [['x.yang', '--draft', '05'], /use 2020-12 or 07/],
    [['x.yang', '--feature', 'f'], /write MODULE:FEATURE/],
  ] as const)
    it(`rejects ${args.join(' ') || 'no file'}`, async () => {
      const { code, err } = await yang(...args);
      assert.equal(code, 64);
      assert.match(err, expected);
    });
});
