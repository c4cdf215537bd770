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
  /** Text on standard input. */
  readonly input?: string;
  /** Resolves when the command must stop; the command stops immediately when it is absent. */
  readonly stopped?: Promise<void>;
}

/** Runs one command line in this process and collects its output. */
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
