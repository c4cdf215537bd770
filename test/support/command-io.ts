import type { CommandIo } from '../../src/cli/command.js';
import { run } from '../../src/cli/run.js';
import { keepOutput } from './leak-scan.js';

export interface CommandResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface CommandInput {
  readonly env?: CommandIo['env'];
  /** What stands on standard input. */
  readonly input?: string;
  /** What tells the command to stop; it is told at once when absent. */
  readonly stopped?: Promise<void>;
}

/** Runs one command line in this process and collects what it prints. */
export async function runCommand(
  args: readonly string[],
  { env = {}, input = '', stopped = Promise.resolve() }: CommandInput = {},
): Promise<CommandResult> {
  let out = '';
  let err = '';
  const code = await run(args, {
    env,
    out: (text) => {
      keepOutput('commands', text);
      out += text;
    },
    err: (text) => {
      keepOutput('commands', text);
      err += text;
    },
    readPassword: () => Promise.resolve(input),
    onHangup: () => undefined,
    onRestart: () => undefined,
    onStray: () => undefined,
    stopped: () => stopped,
  });
  return { code, out, err };
}
