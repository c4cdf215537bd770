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

  /** Returns the first word of each finding in a main file and in the file of an adapter with a fault. */
  async function wordsWith(
    mainLine: string,
    adapterLine: string,
    schemas?: Readonly<Record<string, unknown>>,
  ) {
    const server = await startYamlLanguageServer(schemas && { folder, schemas });
    const inMain = await server.diagnose(main, `${mainLine}sever: {}\n`);
    const inAdapter = await server.diagnose(adapter, `${adapterLine}plugin: restconf\nbaseUrl: nowhere\n`);
    await server.close();
    return [...inMain, ...inAdapter].map(({ message }) => message.split(' ')[0]);
  }

  it('shows first lines that name the schemas', async () => {
    const [mainLine = '', adapterLine = ''] = blocksOf('yaml');
    assert.deepEqual(await wordsWith(`${mainLine}\n`, `${adapterLine}\n`), ['Property', 'Base']);
  });

  it('shows settings of VS Code that map the schemas to the files', async () => {
    const settings = JSON.parse(blocksOf('json')[0] ?? '') as {
      readonly 'yaml.schemas': Readonly<Record<string, unknown>>;
    };
    assert.deepEqual(await wordsWith('', '', settings['yaml.schemas']), ['Property', 'Base']);
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
