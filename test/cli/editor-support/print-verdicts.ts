import { BROKEN_FILES } from './broken-files.js';
import { openJudges, type Verdicts } from './verdicts.js';

/** Prints the findings of one file below its name, one line each. */
function print(name: string, verdicts: Verdicts): void {
  const lines = Object.entries(verdicts).map(
    ([tool, findings]: [string, readonly string[]]) =>
      `  ${tool.padEnd(7)}${findings.join(`\n${' '.repeat(9)}`) || '-'}\n`,
  );
  process.stdout.write(`${name}\n${lines.join('')}\n`);
}

const judges = await openJudges();
try {
  for (const { title, ...file } of BROKEN_FILES) print(`${file.kind}: ${title}`, await judges.judge(file));
} finally {
  await judges.close();
}
