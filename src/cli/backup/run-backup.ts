import { type CommandIo, configPath, parsePositionals, UsageError } from '../lib/command.js';
import type { BackupTerms } from './create-backup.js';

/** Command line of `backup` and `restore`. */
interface BackupLine {
  readonly file: string;
  readonly force: boolean;
  readonly configPath: string;
}

/** Parses the command line. Throws a UsageError unless it names one file. */
export function oneFile(args: readonly string[], { env }: CommandIo): BackupLine {
  const { values, positionals } = parsePositionals(args, {
    force: { type: 'boolean', default: false },
    config: { type: 'string' },
  });
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0) throw new UsageError('name one file for the backup');
  return { file, force: values.force, configPath: configPath(values.config, env) };
}

/** Runs the work, which a signal of the system ends without leaving partial files. Prints each step for people. */
export async function backupTerms(
  { configPath: path, force }: BackupLine,
  io: CommandIo,
  work: (terms: BackupTerms) => Promise<number>,
): Promise<number> {
  const stop = new AbortController();
  const removeListener = io.onStop((signal) => {
    stop.abort(new Error(`ended by ${signal}; nothing was left behind`));
  });
  try {
    return await work({
      configPath: path,
      env: io.env,
      force,
      signal: stop.signal,
      onStep: (text) => {
        io.err(`${text}\n`);
      },
    });
  } finally {
    removeListener();
  }
}
