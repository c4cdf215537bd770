import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Evaluates XPath expressions on an XML document with one xmllint process. Returns what its shell prints for each, such as
 * `number : 2` or `boolean : true`; undefined for an expression that it refuses.
 */
export function evaluateWithXmllint(
  xml: string,
  expressions: readonly string[],
): readonly (string | undefined)[] {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-xmllint-'));
  try {
    const file = join(folder, 'document.xml');
    writeFileSync(file, xml);
    // A mark after each expression separates the outputs.
    const commands = expressions.flatMap((expression) => [`xpath ${expression}`, `xpath '${MARK}'`]);
    const { stdout } = spawnSync('xmllint', ['--shell', file], {
      input: `${commands.join('\n')}\nbye\n`,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
      timeout: 60_000,
    });
    const outputs = stdout.split(new RegExp(`Object is a string : ${MARK}`));
    return expressions.map(
      (_, at) => /Object is a ((?:number|boolean|string) : .*)/.exec(outputs[at] ?? '')?.[1],
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const MARK = '--next--';
