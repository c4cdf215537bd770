import { isAbsolute } from 'node:path';
import { ConfigError } from '../core/fault.js';
import { closestName } from '../lib/closest-name.js';
import { FULL_VERSION } from '../lib/version.js';
import { COMMANDS } from './commands.js';
import { type Command, type CommandIo, EXIT, UsageError } from './lib/command.js';

const HELP_WORDS: ReadonlySet<string> = new Set(['help', '--help', '-h']);
const VERSION_WORDS: ReadonlySet<string> = new Set(['version', '--version', '-v']);

/** Runs one command line (without `node` and the script) and resolves to its exit code. */
export async function run(args: readonly string[], io: CommandIo): Promise<number> {
  const [word, ...words] = args;
  if (word === undefined || HELP_WORDS.has(word)) return printHelp((await findCommand(words)).command, io);
  if (VERSION_WORDS.has(word)) {
    io.out(`${FULL_VERSION}\n`);
    return EXIT.ok;
  }
  const { command, rest } = await findCommand(args);
  if (!command) {
    const nearest = closestName(
      word,
      COMMANDS.map(({ name }) => name),
    );
    const advice = nearest === undefined ? overview() : `Did you mean "gatehouse ${nearest}"?\n`;
    io.err(`gatehouse: there is no command "${word}"\n\n${advice}`);
    return EXIT.usage;
  }
  if (rest.includes('--help') || rest.includes('-h')) return printHelp(command, io);
  try {
    return await command.run(rest, io);
  } catch (error) {
    return await reportError(error, command, io);
  }
}

interface Choice {
  readonly command: Command | undefined;
  readonly rest: readonly string[];
}

/** Returns the command that the first one or two words name, and the remaining words. */
async function findCommand([word, ...rest]: readonly string[]): Promise<Choice> {
  const command = await COMMANDS.find(({ name }) => name === word)?.load();
  const inner = command?.commands?.find(({ name }) => name === `${command.name} ${rest[0] ?? ''}`);
  return inner ? { command: inner, rest: rest.slice(1) } : { command, rest };
}

function printHelp(command: Command | undefined, io: CommandIo): number {
  io.out(command ? `${command.help}\n` : overview());
  return EXIT.ok;
}

function overview(): string {
  const lines = COMMANDS.map(({ name, summary }) => `  ${name.padEnd(17)} ${summary}`);
  return `gatehouse ${FULL_VERSION}: an edge proxy for network orchestrators, with secrets from Vault or from files

Usage: gatehouse COMMAND [OPTIONS]

Commands:
${lines.join('\n')}

Run "gatehouse COMMAND --help" for the options of a command.
`;
}

async function reportError(error: unknown, command: Command, io: CommandIo): Promise<number> {
  if (error instanceof UsageError) {
    io.err(`gatehouse ${command.name}: ${error.message}\nSee gatehouse ${command.name} --help.\n`);
    return EXIT.usage;
  }
  if (error instanceof ConfigError) {
    io.err(`${error.message}\n`);
    const { exitCodeOf } = await import('./check.js');
    return exitCodeOf(error.faults);
  }
  io.err(`gatehouse ${command.name}: ${messageOf(error)}\n`);
  return EXIT.failed;
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return fileErrorMessage(error) ?? error.message;
}

const DISK_FULL = 'the disk is full; free disk space, and run the command again';

/** What is wrong with a file that a command opens, and the next step, by the code of the system error. */
const FILE_ERRORS: Readonly<Partial<Record<string, string>>> = {
  ENOENT: 'does not exist; correct the path',
  EACCES: 'cannot be opened: permission denied; run the command as a user who may open it',
  EPERM: 'cannot be changed: permission denied; run the command as a user who may change it',
  EEXIST: 'exists already; name another path',
  EISDIR: 'is a folder; name a file',
  ENOTDIR: 'is below a file; correct the path',
  ENAMETOOLONG: 'has a name that is too long; name a shorter path',
  EROFS: 'is on a read-only file system; name a path on another one',
  ENOSPC: `cannot be written: ${DISK_FULL}`,
  EDQUOT: `cannot be written: ${DISK_FULL}`,
};

/** Returns the message of a system error about a file; `undefined` for any other error. */
function fileErrorMessage({ code, path }: NodeJS.ErrnoException): string | undefined {
  const problem = FILE_ERRORS[code ?? ''];
  // A failed write does not name its file.
  if (path === undefined) return problem?.endsWith(DISK_FULL) ? DISK_FULL : undefined;
  if (problem === undefined) return undefined;
  const base = code === 'ENOENT' && !isAbsolute(path) ? ', which is relative to the working directory' : '';
  return `${path} ${problem}${base}`;
}
