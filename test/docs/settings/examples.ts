import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startExampleOrchestrator } from '../../examples/orchestrator.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import type { OpenSetting, PageSettings } from '../installations.js';
import { ROOT } from '../markdown.js';

/** The examples whose commands are executed, each with its initial environment. */
export const EXAMPLES: PageSettings = {
  'examples/plugin-minimal/README.md': withExamples,
  'examples/plugin-typescript/README.md': withExamples,
  'examples/plugin-with-login/README.md': withExamples,
};

/** Copies the examples, and starts their orchestrator. Servers listen on free ports. */
async function withExamples(): Promise<OpenSetting> {
  const folder = temporaryFolder().path;
  const orchestrator = await startExampleOrchestrator();
  cpSync(join(ROOT, 'examples'), join(folder, 'examples'), { recursive: true });
  const names = new Map([
    ['127.0.0.1:3000 }', '127.0.0.1:0 }'],
    ['http://127.0.0.1:8080', orchestrator.url],
  ]);
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    if (file.endsWith('.yaml')) replaceIn(join(folder, file), names);
  const main = fileURLToPath(new URL('../../../src/cli/main.js', import.meta.url));
  return {
    folder,
    env: {},
    programs: { gatehouse: `exec "${process.execPath}" "${main}" "$@"` },
    names,
    close: () => orchestrator.close(),
  };
}

function replaceIn(file: string, names: ReadonlyMap<string, string>): void {
  let text = readFileSync(file, 'utf8');
  for (const [name, value] of names) text = text.replaceAll(name, value);
  writeFileSync(file, text);
}
