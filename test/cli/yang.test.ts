import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { column } from '../support/columns.js';
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

  it('prints the schema of a module, or a list of schemas', async () => {
    const { code, out, err } = await yang(main);
    assert.deepEqual([code, err], [0, '']);
    const printed = JSON.parse(out) as { module: string; schema: { properties: object } };
    assert.deepEqual([printed.module, Object.keys(printed.schema.properties)], ['m', ['m:c']]);
    const several = await yang(main, join(parts, 't@2024-01-31.yang'));
    assert.equal((JSON.parse(several.out) as readonly unknown[]).length, 2);
  });

  it('takes an import from the folder of the file before one from a --path', async () => {
    const device = join(folder, 'device');
    mkdirSync(device);
    const old = yang11('t', 'revision 2020-01-31; typedef only-here { type string; }');
    writeFileSync(join(device, 't@2020-01-31.yang'), old);
    const user = join(device, 'user.yang');
    writeFileSync(user, yang11('user', 'import t { prefix t; } leaf a { type t:only-here; }'));
    for (const args of [[], ['openapi']]) assert.equal((await yang(...args, user, '--path', parts)).code, 0);
    // A revision that the folder does not have comes from the path.
    writeFileSync(
      user,
      yang11('user', 'import t { prefix t; revision-date 2024-01-31; } leaf a { type t:t; }'),
    );
    assert.equal((await yang(user, '--path', parts)).code, 0);
  });

  it('validates documents by all rules of the modules with --validate', async () => {
    const [good, bad, broken] = ['good', 'bad', 'broken'].map((name) => join(folder, `${name}.json`));
    assert.ok(good && bad && broken);
    writeFileSync(good, '{ "m:c": { "a": "x" } }');
    writeFileSync(bad, '{ "m:c": { "l": [{ "k": "x" }, { "k": "x" }], "z": 1 } }');
    writeFileSync(broken, '{');
    const valid = await yang(main, '--path', parts, '--validate', good);
    assert.deepEqual(valid, { code: 0, out: `${good}: valid\n`, err: '' });
    const { code, out, err } = await yang(main, '--path', parts, '--validate', bad, '--validate', broken);
    assert.deepEqual([code, out], [1, '']);
    const [first, second, count, fault] = err.split('\n');
    assert.equal(first, `${bad}: /m:c/z is no node of the model here`);
    assert.equal(second, `${bad}: /m:c/l/1 must differ from entry 0 in its keys`);
    assert.equal(count, `${bad}: 2 violations`);
    assert.match(fault ?? '', /broken\.json: .*JSON/);
  });

  it('validates documents of XML, by their ending or --format', async () => {
    const [xml, text] = ['bad.xml', 'data.txt'].map((name) => join(folder, name));
    assert.ok(xml && text);
    writeFileSync(xml, '<c xmlns="urn:m"><l><k>x</k></l><l><k>x</k></l><z/></c>');
    writeFileSync(text, '<?xml version="1.0"?>\n<c xmlns="urn:m"><a>x</a></c>');
    const { code, err } = await yang(main, '--path', parts, '--validate', xml);
    const lines = ['/m:c/z is no node of the model here', '/m:c/l/1 must differ from entry 0 in its keys'];
    assert.equal(code, 1);
    assert.equal(err, [...lines, '2 violations', ''].map((line) => line && `${xml}: ${line}`).join('\n'));
    const found = await yang(main, '--path', parts, '--validate', text);
    assert.deepEqual(found, { code: 0, out: `${text}: valid\n`, err: '' });
    assert.equal((await yang(main, '--path', parts, '--validate', text, '--format', 'json')).code, 1);
    const { err: refusal } = await yang(main, '--validate', text, '--format', 'tree');
    assert.match(refusal, /--format tree: use json or xml/);
  });

  it('names the option that raises an exceeded limit', async () => {
    const { code, err } = await yang(main, '--max-nodes', '3');
    assert.equal(code, 1);
    assert.match(err, /more than 3 nodes.*; raise the limit with --max-nodes/);
    assert.equal((await yang(main, '--max-nodes', '100', '--max-statements', '1000')).code, 0);
  });

  it('prints the tree, or a line for each data node', async () => {
    const tree = (await yang(main, '--format', 'tree')).out;
    assert.ok(tree.startsWith('module: m\n  +--rw c\n     +--rw a?    t\n'), tree);
    const { out } = await yang(main, '--format', 'jtox-like', '--feature', 'm:');
    assert.equal(out.split('\n')[1], '/m:c/a leaf t');
    assert.ok(!out.includes('/m:c/b') && out.includes('/m:c/l/s leaf string ro'));
  });

  it('refuses a feature that the module does not have', async () => {
    const { code, err } = await yang(main, '--feature', 'm:g');
    assert.equal(code, 1);
    assert.match(err, /^features: the module "m" has no feature "g"/);
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
    [['x.yang', '--timeout-ms', '1s'], /--timeout-ms 1s: use a number above 0/],
    [['x.yang', '--feature', 'f'], /write MODULE:FEATURE/],
  ] as const)
    it(`rejects ${args.join(' ') || 'no file'}`, async () => {
      const { code, err } = await yang(...args);
      assert.equal(code, 64);
      assert.match(err, expected);
    });

  it('writes the schema for a form library', async () => {
    const { out } = await yang(main, '--path', parts, '--dialect', 'jsonforms');
    const printed = JSON.parse(out) as { schema: { $schema: string }; uiSchema: { type: string } };
    assert.deepEqual(
      [printed.schema.$schema, printed.uiSchema.type],
      ['http://json-schema.org/draft-07/schema#', 'VerticalLayout'],
    );
    const { code, err } = await yang(main, '--dialect', 'angular');
    assert.equal(code, 64);
    assert.match(err, /--dialect angular: use plain or rjsf or jsonforms/);
  });

  it('writes an OpenAPI document of files and folders, as JSON or YAML', async () => {
    const { code, out, err } = await yang('openapi', main, parts, '--root', '/rests', '--depth', '1');
    assert.deepEqual([code, err], [0, '']);
    const document = JSON.parse(out) as { servers: unknown; paths: object; tags: { name: string }[] };
    assert.deepEqual(document.servers, [{ url: '/rests' }]);
    assert.deepEqual(Object.keys(document.paths), ['/data', '/data/m:c', '/operations/m:r']);
    assert.deepEqual(column(document.tags, 'name'), ['m', 'd', 't']);
    assert.match((await yang('openapi', main, '--format', 'yaml')).out, /^openapi: 3\.1\.0\n/);
  });

  it('writes an OpenAPI document with the imports, features and deviations of the options', async () => {
    const documentWith = async (...args: readonly string[]): Promise<string> => {
      const { code, out, err } = await yang('openapi', main, '--path', parts, ...args);
      assert.deepEqual([code, err], [0, '']);
      return out;
    };
    for (const [pattern, args] of [
      [/"b":.*"a":|"a":.*"b":/s, []],
      [/^(?!.*"b":)/s, ['--feature', 'm:']],
      [/"b":/, ['--feature', 'm:f']],
      [/^(?!.*"a":)/s, ['--deviation', 'd']],
    ] as const)
      assert.match(await documentWith(...args), pattern);
    const out = await documentWith('--start', '/m:c/l', '--start', '/m:c', '--depth', '2');
    const { paths } = JSON.parse(out) as { paths: object };
    assert.deepEqual(Object.keys(paths), ['/data/m:c', '/data/m:c/l={k}']);
  });

  it('applies the limits and the leniency of the options to an OpenAPI document', async () => {
    for (const [option, value] of [
      ['--max-nodes', '2'],
      ['--max-statements', '5'],
      ['--max-characters', '20'],
    ] as const) {
      const { code, out, err } = await yang('openapi', main, '--path', parts, option, value);
      assert.deepEqual([code, out], [1, '']);
      assert.match(err, new RegExp(`raise .*${option}`));
    }
    const late = join(folder, 'late.yang');
    writeFileSync(late, 'module late { prefix l; namespace "urn:l"; container c; description "late"; }');
    assert.equal((await yang('openapi', late)).code, 1);
    assert.equal((await yang('openapi', late, '--lenient')).code, 0);
  });

  it('refuses paths, depths and folders without resources for an OpenAPI document', async () => {
    const empty = join(folder, 'empty');
    mkdirSync(empty);
    for (const [args, message] of [
      [
        [main, '--start', '/m:none'],
        /--start \/m:none: no container or list entry has this path within --depth 4/,
      ],
      [[main, '--depth', '0'], /--depth 0: use a number from 1 to 999/],
      [[empty], /contains no \.yang file/],
      [[], /name at least one file or folder/],
    ] as const) {
      const { code, err } = await yang('openapi', ...args);
      assert.equal(code, 64);
      assert.match(err, message);
    }
    assert.equal((await yang('openapi', join(folder, 'bad.yang'))).code, 1);
  });
});
