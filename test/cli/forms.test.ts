import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '../../src/features/open-store.js';
import { runCommand } from '../support/command-io.js';
import { form, LIMITS } from '../support/form.js';
import { temporaryFolder } from '../support/temporary-folder.js';

async function configure(forms: number): Promise<{ readonly folder: string; readonly config: string }> {
  const folder = temporaryFolder().path;
  const config = join(folder, 'gatehouse.yaml');
  writeFileSync(config, 'storage: { url: "sqlite:forms.db" }\n');
  const store = await openStore(`sqlite:${join(folder, 'forms.db')}`);
  await store.forms.import(
    Array.from({ length: forms }, (_, at) => form(at, { schema: { title: 'é\u2028"', pattern: '\\d' } })),
    LIMITS,
  );
  await store.close();
  return { folder, config };
}

describe('gatehouse forms', () => {
  it('copies forms into another store byte for byte', async () => {
    const { folder, config } = await configure(70);
    const file = join(folder, 'forms.jsonl');
    const exported = await runCommand(['forms', 'export', '--file', file, '--config', config]);
    assert.deepEqual([exported.code, exported.out, exported.err], [0, '', '70 forms written\n']);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const other = await configure(0);
    const imported = await runCommand(['forms', 'import', '--file', file, '--config', other.config]);
    assert.deepEqual([imported.code, imported.out, imported.err], [0, '70 forms added\n', '']);
    const again = await runCommand(['forms', 'export', '--config', other.config]);
    assert.equal(again.out, readFileSync(file, 'utf8'));
  });

  it('adds nothing if a form already exists, and skips that form with --partial', async () => {
    const { folder, config } = await configure(2);
    const file = join(folder, 'forms.jsonl');
    writeFileSync(file, [form(5), form(1)].map((one) => `${JSON.stringify(one)}\n`).join(''));
    const refused = await runCommand(['forms', 'import', '--file', file, '--config', config]);
    assert.equal(refused.code, 1);
    assert.match(refused.err, /A form with the name "form 1" already exists\. Nothing was added\./);
    assert.equal((await runCommand(['forms', 'export', '--config', config])).err, '2 forms written\n');
    const partial = await runCommand(['forms', 'import', '--partial', '--file', file, '--config', config]);
    assert.equal(partial.out, '1 form added\n');
  });

  it('reports the line of an invalid form and adds no form', async () => {
    const { folder, config } = await configure(0);
    const file = join(folder, 'forms.jsonl');
    const bad: readonly [line: string, complaint: RegExp][] = [
      ['{"id":', /line 2 is not a form: it is not well-formed JSON/],
      [JSON.stringify({ ...form(2), id: 'x' }), /line 2 is not a form: \/id must be 24 hexadecimal digits/],
      [JSON.stringify({ ...form(2), extra: 1 }), /line 2 is not a form: \/extra is not known here/],
    ];
    for (const [line, complaint] of bad) {
      writeFileSync(file, `${JSON.stringify(form(1))}\n${line}\n`);
      const { code, err } = await runCommand(['forms', 'import', '--file', file, '--config', config]);
      assert.equal(code, 1);
      assert.match(err, complaint);
    }
    assert.equal((await runCommand(['forms', 'export', '--config', config])).err, '0 forms written\n');
  });

  it('reports missing arguments, missing files and existing files', async () => {
    const { folder, config } = await configure(0);
    assert.match((await runCommand(['forms'])).err, /name a command: export or import/);
    assert.match((await runCommand(['forms', 'import', '--config', config])).err, /name the file/);
    const none = await runCommand(['forms', 'import', '--file', join(folder, 'none'), '--config', config]);
    assert.match(none.err, /does not exist; correct the path/);
    const file = join(folder, 'there');
    writeFileSync(file, 'precious');
    const there = await runCommand(['forms', 'export', '--file', file, '--config', config]);
    assert.match(there.err, /there exists already; name another path/);
    assert.equal(readFileSync(file, 'utf8'), 'precious');
  });
});
