import { ConfigError } from '../domain/fault.js';
import { VERSION } from '../version.js';
import { check, exitCodeOf } from './check.js';
import { type Command, type CommandIo, EXIT, UsageError } from './command.js';
import { hash } from './hash.js';
import { openapi } from './openapi.js';
import { serve } from './serve.js';
import { token } from './token.js';

const COMMANDS: readonly Command[] = [serve, check, token, hash, openapi];

/** Runs one command line (without `node` and the script) and resolves to its exit code. */
export async function run(args: readonly string[], io: CommandIo): Promise<number> {
  const [word, ...rest] = args;
  if (word === undefined || word === '--help' || word === '-h' || word === 'help')
    return helpFor(rest[0], io);
  if (word === '--version') {
    io.out(`${VERSION}\n`);
    return EXIT.ok;
  }
  const command = COMMANDS.find(({ name }) => name === word);
  if (!command) {
    io.err(`gatehouse: there is no command "${word}"\n\n${overview()}`);
    return EXIT.usage;
  }
  if (rest.includes('--help') || rest.includes('-h')) return helpFor(command.name, io);
  try {
    return await command.run(rest, io);
  } catch (error) {
    return explain(error, command, io);
  }
}

function helpFor(name: string | undefined, io: CommandIo): number {
  const command = COMMANDS.find((one) => one.name === name);
  io.out(command ? `${command.help}\n` : overview());
  return EXIT.ok;
}

function overview(): string {
  const lines = COMMANDS.map(({ name, summary }) => `  ${name.padEnd(9)} ${summary}`);
  return `gatehouse ${VERSION}: an edge proxy for network orchestrators, with every secret in Vault

Usage: gatehouse COMMAND [OPTIONS]

Commands:
${lines.join('\n')}

gatehouse COMMAND --help tells more about one of them.
`;
}

function explain(error: unknown, command: Command, io: CommandIo): number {
  if (error instanceof UsageError) {
    io.err(`gatehouse ${command.name}: ${error.message}\nSee gatehouse ${command.name} --help.\n`);
    return EXIT.usage;
  }
  if (error instanceof ConfigError) {
    io.err(`${error.message}\n`);
    return exitCodeOf(error.faults);
  }
  io.err(`gatehouse ${command.name}: ${error instanceof Error ? error.message : String(error)}\n`);
  return EXIT.failed;
}
