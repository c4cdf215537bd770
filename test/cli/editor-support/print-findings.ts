import { startYamlLanguageServer } from '../../support/yaml-language-server.js';
import { BROKEN_FILES } from './broken-files.js';
import { createCheckers, type Findings } from './findings.js';

function print(name: string, findings: Findings): void {
  const lines = Object.entries(findings).map(
    ([tool, found]: [string, readonly string[]]) =>
      `  ${tool.padEnd(7)}${found.join(`\n${' '.repeat(9)}`) || '-'}\n`,
  );
  process.stdout.write(`${name}\n${lines.join('')}\n`);
}

const server = await startYamlLanguageServer();
const checkers = createCheckers(server);
try {
  for (const { title, ...file } of BROKEN_FILES)
    print(`${file.kind}: ${title}`, await checkers.examine(file));
} finally {
  await server.close();
  checkers.close();
}
