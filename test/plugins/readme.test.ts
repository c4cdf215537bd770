import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { transformSync } from 'rolldown/utils';
import type { AdapterPlugin } from '../../src/core/adapter.js';
import { runAdapterContract } from '../../src/plugin-sdk/contract.js';

const checkout = fileURLToPath(new URL('../../../', import.meta.url));
const readme = readFileSync(join(checkout, 'plugins/README.md'), 'utf8');
const blocks = [...readme.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text);
const source = blocks.find((text) => text.includes('export const plugin')) ?? '';

// Runs the example in a new folder, with the compiled plugin API.
const sdk = new URL('../../src/plugin-sdk/index.js', import.meta.url).href;
const scratch = mkdtempSync(join(tmpdir(), 'gatehouse-readme-'));
const folder = join(scratch, 'envelope');
const { code: compiled } = transformSync('index.ts', source, { typescript: { onlyRemoveTypeImports: true } });
mkdirSync(folder);
writeFileSync(join(folder, 'index.mjs'), compiled.replaceAll('gatehouse-plugin-kit', sdk));
writeFileSync(join(folder, 'CHANGELOG.md'), '# Changelog\n\n## 1.0.0\n\n- First.\n');
writeFileSync(
  join(folder, 'README.md'),
  '`tenant`\n\n## Example\n\n```yaml\nplugin: envelope\nbaseUrl: https://a.example\noptions: { tenant: blue }\n```\n',
);
const { plugin } = (await import(pathToFileURL(join(folder, 'index.mjs')).href)) as { plugin: AdapterPlugin };

runAdapterContract(plugin, { folder, options: { tenant: 'blue' }, badOptions: [{}, { tenant: 'BLUE' }] });

describe('the plugin in plugins/README.md', () => {
  after(() => {
    rmSync(scratch, { recursive: true });
  });

  it('compiles with the strict settings of the project', () => {
    assert.equal(typeErrors(source), '');
  });

  it('extracts replies from their envelope', () => {
    const adapter = plugin.create({ tenant: 'blue' }, undefined as never);
    const call = { kind: 'query', method: 'GET', path: '/', accept: '*/*' } as const;
    const reply = { status: 200, headers: {}, body: Buffer.from('{"data":[1]}') };
    assert.deepEqual(adapter.shape?.(call, reply), [1]);
    assert.equal(adapter.translate(call)[0].headers['x-tenant'], 'blue');
  });
});

/** Returns what the compiler reports for the source of a plugin; '' if it has no errors. */
function typeErrors(text: string): string {
  const typed = join(scratch, 'typed');
  mkdirSync(typed);
  writeFileSync(join(typed, 'index.mts'), text);
  const options = {
    noEmit: true,
    incremental: false,
    rootDir: '/',
    // The checkout has no installed copy of its own package.
    paths: { 'gatehouse-plugin-kit': [join(checkout, 'src/plugin-sdk/index.ts')] },
    typeRoots: [join(checkout, 'node_modules/@types')],
  };
  const config = { extends: join(checkout, 'tsconfig.json'), compilerOptions: options, include: ['*.mts'] };
  writeFileSync(join(typed, 'tsconfig.json'), JSON.stringify(config));
  const compiler = join(checkout, 'node_modules/typescript/bin/tsc');
  return spawnSync(process.execPath, [compiler, '-p', typed], { encoding: 'utf8' }).stdout;
}
