import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A script that writes without end and prints one line for each acknowledged write. */
export interface Writer {
  readonly script: URL;
  readonly args: readonly string[];
}

/**
 * Runs the writer, kills it with SIGKILL after that many lines, and returns every line it could still print.
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
