import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import ts from 'typescript';
import type { AdapterPlugin } from '../../src/core/adapter.js';
import { runAdapterContract } from '../../src/plugin-sdk/contract.js';

const checkout = fileURLToPath(new URL('../../../', import.meta.url));
const readme = readFileSync(join(checkout, 'plugins/README.md'), 'utf8');
const source = /^```ts\n([\s\S]*?)^```$/m.exec(readme)?.[1] ?? '';

// Runs the example in a new folder, with the compiled `gatehouse-proxy/plugin`.
const sdk = new URL('../../src/plugin-sdk/index.js', import.meta.url).href;
const scratch = mkdtempSync(join(tmpdir(), 'gatehouse-readme-'));
const folder = join(scratch, 'envelope');
const { outputText } = ts.transpileModule(source, {
  compilerOptions: {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    verbatimModuleSyntax: true,
  },
});
mkdirSync(folder);
writeFileSync(join(folder, 'index.mjs'), outputText.replaceAll('gatehouse-proxy/plugin', sdk));
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
    assert.deepEqual(typeErrors(join(checkout, 'plugins/envelope/index.ts'), source), []);
  });

  it('extracts replies from their envelope', () => {
    const adapter = plugin.create({ tenant: 'blue' }, undefined as never);
    const call = { kind: 'query', method: 'GET', path: '/', accept: '*/*' } as const;
    const reply = { status: 200, headers: {}, body: Buffer.from('{"data":[1]}') };
    assert.deepEqual(adapter.shape?.(call, reply), [1]);
    assert.equal(adapter.translate(call)[0].headers['x-tenant'], 'blue');
  });
});

/** Returns the compiler errors of a file that exists only in memory. */
function typeErrors(file: string, text: string): readonly string[] {
  const config = ts.readConfigFile(join(checkout, 'tsconfig.json'), (path) => ts.sys.readFile(path));
  const { options } = ts.convertCompilerOptionsFromJson(
    (config.config as { compilerOptions: unknown }).compilerOptions,
    checkout,
  );
  // The checkout has no installed copy of its own package.
  const paths = { 'gatehouse-proxy/plugin': [join(checkout, 'src/plugin-sdk/index.ts')] };
  const host = ts.createCompilerHost({ ...options, noEmit: true });
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (path, ...rest) =>
    path === file ? ts.createSourceFile(path, text, ts.ScriptTarget.ES2023) : read(path, ...rest);
  const program = ts.createProgram([file], { ...options, paths, noEmit: true, incremental: false }, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}
