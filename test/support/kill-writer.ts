import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A script that writes until it is killed, and prints one line for each acknowledged write. */
interface Writer {
  readonly script: URL;
  readonly args: readonly string[];
}

/**
 * Runs the writer, kills it with SIGKILL after `lines` lines, and returns all printed lines.
 */
export async function killWriter(writer: Writer, lines: number): Promise<readonly string[]> {
  const child = spawn(process.execPath, [fileURLToPath(writer.script), ...writer.args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  const acknowledged: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    acknowledged.push(line);
    if (acknowledged.length === lines) child.kill('SIGKILL');
  }
  const [code, signal] = (await exit) as [number | null, NodeJS.Signals | null];
  // A writer that exits without the kill shows nothing about crashes.
  if (signal !== 'SIGKILL')
    throw new Error(`the writer was not killed: it ended with ${code ?? signal ?? ''}`);
  return acknowledged;
}
