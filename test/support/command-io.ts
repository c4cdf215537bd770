import { Writable } from 'node:stream';
import type { CommandIo } from '../../src/cli/lib/command.js';
import { run } from '../../src/cli/run.js';
import { NO_WATCHDOG } from '../../src/server/watchdog/watchdog.js';
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
  /** Opens a page of the command in a browser. */
  readonly openBrowser?: (url: string) => void;
  /** Whether the command prints a secret on purpose; the leak scan then leaves its output out. */
  readonly printsSecret?: boolean;
  /** Receives the messages for people while the command runs. */
  readonly onMessage?: (text: string) => void;
  /** Resolves when the command must stop; the command stops immediately when it is absent. */
  readonly stopped?: Promise<void>;
}

/** Runs one command line in this process and collects its output. */
export async function runCommand(
  args: readonly string[],
  {
    env = {},
    input = '',
    openBrowser = () => undefined,
    printsSecret = false,
    onMessage = () => undefined,
    stopped = Promise.resolve(),
  }: CommandInput = {},
): Promise<CommandResult> {
  const keep = (text: string): void => {
    if (!printsSecret) keepOutput('commands', text);
  };
  let out = '';
  let err = '';
  const code = await run(args, {
    env,
    out: (text) => {
      keep(text);
      out += text;
    },
    err: (text) => {
      keep(text);
      err += text;
      onMessage(text);
    },
    flush: () => Promise.resolve(),
    logStream: new Writable({
      write(chunk: Buffer, _encoding, next) {
        keep(chunk.toString());
        next();
      },
    }),
    openBrowser,
    readPassword: () => Promise.resolve(input),
    onHangup: () => undefined,
    onRestart: () => undefined,
    onStray: () => undefined,
    startWatchdog: () => NO_WATCHDOG,
    onStop(listener) {
      void stopped.then(() => {
        listener('SIGTERM');
      });
      return () => undefined;
    },
  });
  return { code, out, err };
}
