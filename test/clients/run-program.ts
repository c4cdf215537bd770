import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

/** Result of a program. */
interface ProgramResult {
  readonly status: number | null;
  readonly out: string;
  readonly errors: string;
}

/** Runs a program of others to its end. */
export async function runProgram(
  [program, ...args]: readonly [string, ...string[]],
  options: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv },
): Promise<ProgramResult> {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  const [out, errors, status] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { status, out, errors };
}

/** Runs a program to its end, and asserts that it succeeded. Returns everything that it printed. */
export async function mustRun(
  command: readonly [string, ...string[]],
  options: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv },
): Promise<string> {
  const { status, out, errors } = await runProgram(command, options);
  assert.equal(status, 0, `${command.join(' ')}\n${out}${errors}`);
  return out + errors;
}
