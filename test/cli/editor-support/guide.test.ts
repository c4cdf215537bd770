import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { readPage } from '../../docs/markdown.js';
import { runCommand } from '../../support/command-io.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { startYamlLanguageServer } from '../../support/yaml-language-server.js';

const { blocks } = readPage('docs/how-to/change-the-configuration.md');
const own = blocks.filter(({ mark }) => mark === 'tested: test/cli/editor-support/guide.test.ts');

function blocksOf(language: string): readonly string[] {
  return own.filter((block) => block.language === language).map(({ text }) => text);
}

describe('the page about editors', () => {
  const folder = temporaryFolder().path;
  const main = join(folder, 'gatehouse.yaml');
  const adapter = join(folder, 'adapters', 'a.yaml');
  before(async () => {
    mkdirSync(join(folder, 'adapters'));
    writeFileSync(main, '');
    writeFileSync(adapter, '');
    assert.equal((await runCommand(['schemas', '--config', main])).code, 0);
    assert.ok(existsSync(join(folder, 'schemas', 'gatehouse.schema.json')));
  });

  it('shows first lines that name the schemas', async () => {
    const [mainLine = '', adapterLine = ''] = blocksOf('yaml');
    const server = await startYamlLanguageServer();
    const inMain = await server.diagnose(main, `${mainLine}\nsever: {}\n`);
    const inAdapter = await server.diagnose(adapter, `${adapterLine}\nplugin: restconf\nbaseUrl: nowhere\n`);
    await server.close();
    assert.deepEqual(
      [...inMain, ...inAdapter].map(({ message }) => message.split(' ')[0]),
      ['Property', 'Base'],
    );
  });

  it('shows settings of VS Code that map the schemas to the files', async () => {
    const [text = ''] = blocksOf('json');
    const { 'yaml.schemas': schemas } = JSON.parse(text) as {
      'yaml.schemas': Readonly<Record<string, unknown>>;
    };
    const server = await startYamlLanguageServer({ folder, schemas });
    const inMain = await server.diagnose(main, 'sever: {}\n');
    const inAdapter = await server.diagnose(adapter, 'plugin: restconf\nbaseUrl: nowhere\n');
    await server.close();
    assert.deepEqual(
      [...inMain, ...inAdapter].map(({ message }) => message.split(' ')[0]),
      ['Property', 'Base'],
    );
  });

  it('shows a command line of Neovim that the language server has', () => {
    const [text = ''] = blocksOf('lua');
    const [, program = '', option] = /cmd = \{ '([^']+)', '([^']+)' \}/.exec(text) ?? [];
    const manifest = createRequire(import.meta.url).resolve('yaml-language-server/package.json');
    const { bin } = JSON.parse(readFileSync(manifest, 'utf8')) as {
      readonly bin: Readonly<Record<string, string>>;
    };
    assert.ok(bin[program] !== undefined && option === '--stdio', text);
  });
});
