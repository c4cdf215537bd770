import type { CommandIo } from '../../src/cli/command.js';
import { run } from '../../src/cli/run.js';

export interface CommandResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface CommandInput {
  readonly env?: CommandIo['env'];
  /** What stands on standard input. */
  readonly input?: string;
}

/** Runs one command line in this process and collects what it prints. */
export async function runCommand(
  args: readonly string[],
  { env = {}, input = '' }: CommandInput = {},
): Promise<CommandResult> {
  let out = '';
  let err = '';
  const code = await run(args, {
    env,
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    readPassword: () => Promise.resolve(input),
    onHangup: () => undefined,
    onStray: () => undefined,
    stopped: () => Promise.resolve(),
  });
  return { code, out, err };
}
