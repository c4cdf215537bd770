import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { type CommandResult, runCommand } from '../../support/command-io.js';
import { runVaultCommand } from './vault-command.js';

/** A command as a shell calls it. */
export interface Command {
  readonly program: Program;
  /** The arguments without the name of the program. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly input: string;
}

/** The programs whose commands run in the process of the test. */
type Program = 'gatehouse' | 'vault';

/** Runs the commands of a shell in one process, because a process for each command is slow. */
interface CommandServer {
  /** Returns lines of a shell script that sends the command in its arguments and exits with its result. */
  readonly scriptOf: (program: Program) => string;
  close(): Promise<void>;
}

/**
 * Listens on a socket file and runs commands one at a time in this process, in the folder and with the
 * variables of the shell.
 */
export async function openCommandServer(socket: string): Promise<CommandServer> {
  let last: Promise<unknown> = Promise.resolve();
  const server = createServer((request, response) => {
    const next = last.then(() => runCommandBlock(request));
    last = next.then(
      (result) => response.end(JSON.stringify(result)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  server.listen(socket);
  await once(server, 'listening');
  return {
    scriptOf: (
      program,
    ) => `order='{program: "${program}", $input, env: env, cwd: env.PWD, args: $ARGS.positional}'
answer=$(jq -nc --rawfile input /dev/stdin "$order" --args -- "$@" | curl -qs --unix-socket "${socket}" --data-binary @- http://commands)
printf %s "$answer" | jq -j .out
printf %s "$answer" | jq -j .err >&2
exit "$(printf %s "$answer" | jq .code)"`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
      rmSync(socket, { force: true });
    },
  };
}

async function runCommandBlock(request: IncomingMessage): Promise<CommandResult> {
  const command = JSON.parse(await text(request)) as Command;
  const { program, args, env, cwd, input } = command;
  const home = process.cwd();
  process.chdir(cwd);
  try {
    if (program === 'vault') {
      await runVaultCommand(command);
      return { code: 0, out: '', err: '' };
    }
    return await runCommand(args, { env, input, stopped: new Promise(() => undefined) });
  } catch (error) {
    return { code: 1, out: '', err: String(error) };
  } finally {
    process.chdir(home);
  }
}
