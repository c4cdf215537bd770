import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeCertificate } from '../support/certificates.js';
import { runCommand } from '../support/command-io.js';
import { exampleNames, readExample, secretOf } from '../support/orchestrators/examples.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { readPage, rowsBelow } from './markdown.js';

const MAIN = 'vault: { address: "https://vault.example:8200", auth: { method: token } }\n';

describe('the example adapters', () => {
  const rows = new Map(
    rowsBelow(readPage('config/examples/README.md'), '## The table').map((row) => [
      /\(([^)]+)\.yaml\)/.exec(row[1] ?? '')?.[1] ?? '',
      row,
    ]),
  );

  it('are valid without changes', async () => {
    const folder = temporaryFolder().path;
    mkdirSync(join(folder, 'adapters'));
    writeFileSync(join(folder, 'gatehouse.yaml'), MAIN);
    const { cert } = await makeCertificate({ dns: 'ca.example' });
    for (const name of exampleNames()) {
      const text = readExample(name);
      writeFileSync(join(folder, 'adapters', `${name}.yaml`), text);
      for (const [, file = ''] of text.matchAll(/caFile: ([\w-]+\.pem)/g))
        writeFileSync(join(folder, 'adapters', file), cert);
    }
    const { code, out } = await runCommand(['check', '--config', join(folder, 'gatehouse.yaml')]);
    assert.equal(code, 0, out);
    assert.match(out, new RegExp(`\\(${exampleNames().length} adapters\\)`));
  });

  it('name their source and their schema', () => {
    for (const text of exampleNames().map(readExample)) {
      assert.match(text, /^# yaml-language-server: \$schema=\.\.\/adapter\.schema\.json\n/);
      assert.match(text, /^# Source: /m);
    }
  });

  it('have a row in the table with plugin, secret and health path', () => {
    for (const name of exampleNames()) {
      const text = readExample(name);
      const [, , plugin, , vault, health] = rows.get(name) ?? [];
      const { path, field } = secretOf(text);
      assert.equal(plugin, `\`${/^plugin: (.*)$/m.exec(text)?.[1] ?? ''}\``, name);
      assert.equal(vault, `\`vault kv put -mount=secret ${path} ${field}=-\``, name);
      const written = /^health: \{ path: '?([^',} ]+)/m.exec(text)?.[1];
      assert.equal(health, written === undefined ? 'none' : `\`${written}\``, name);
    }
  });
});
