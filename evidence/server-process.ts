import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { COMMAND, FLAGS } from '../test/support/gatehouse-command.js';
import { textSince } from './log-tail.js';
import { waitUntil } from './wait-until.js';

/** The command as it is shipped, with the options of Node.js that the image sets. */
export const SHIPPED_COMMAND: readonly string[] = [...FLAGS, COMMAND];

/** The command without the bounds that no setting lifts: the memory for replies, and the threads of the plugin netconf. */
export const UNBOUNDED_COMMAND: readonly string[] = [
  ...['--import', new URL('unbounded/register.js', import.meta.url).href],
  fileURLToPath(new URL('../src/cli/main.js', import.meta.url)),
];

/** gatehouse as a separate process. */
export interface ServerProcess {
  readonly url: string;
  readonly child: ChildProcess;
  /** All lines of the log so far. */
  readonly log: () => string;
  /** A token of the built-in issuer. */
  readonly issueToken: (role: string) => string;
  /** Sends a signal to the server and waits until it has exited. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<void>;
}

/** Files in the folder of a server. */
interface ServerFiles {
  readonly folder: string;
  /** Members of `server` in addition to the address, as YAML without the enclosing braces. */
  readonly server?: string;
  /** Members of `log` in addition to the file, in the same form. */
  readonly log?: string;
  /** Members of `auth`, and of `auth.local` in addition to the key file, in the same form. */
  readonly auth?: string;
  readonly local?: string;
  /** Members of `audit` in addition to the file, in the same form. */
  readonly audit?: string;
  /** Other sections, as YAML. */
  readonly sections?: string;
  /** YAML of adapters by their names. */
  readonly adapters?: Readonly<Record<string, string>>;
}

/**
 * Writes a configuration with store and trail in the folder `data` and the log next to it; returns its path.
 */
export function writeServerFiles(files: ServerFiles): string {
  const { folder, server = '', log = '', auth = '', local = '', audit = '' } = files;
  const { sections = '', adapters = {} } = files;
  mkdirSync(join(folder, 'adapters'), { recursive: true });
  for (const [name, text] of Object.entries(adapters))
    writeFileSync(join(folder, 'adapters', `${name}.yaml`), text);
  const config = join(folder, 'gatehouse.yaml');
  const text = `server: { listen: "127.0.0.1:0", ${server} }
auth: { local: { keyFile: key.pem, ${local} }, ${auth} }
storage: { url: "sqlite:data/gatehouse.db" }
audit: { file: data/audit.log, ${audit} }
log: { file: gatehouse.log, ${log} }
${sections}
`;
  writeFileSync(config, text);
  return config;
}

/**
 * Starts gatehouse on files and waits until it serves. `command` runs it: `strace` with its options, for
 * example; `main` is the script of gatehouse, after options of Node.js.
 */
export async function startServerProcess(
  files: ServerFiles,
  command: readonly string[] = [],
  main: readonly string[] = SHIPPED_COMMAND,
): Promise<ServerProcess> {
  const config = writeServerFiles(files);
  const words = [...command, process.execPath, ...main, 'serve', '--config', config];
  const logFile = join(files.folder, 'gatehouse.log');
  const log = (): string => (existsSync(logFile) ? readFileSync(logFile, 'utf8') : '');
  // Earlier starts may have written to the log.
  const previous = existsSync(logFile) ? statSync(logFile).size : 0;
  const child = spawn(words[0] ?? '', words.slice(1), { stdio: ['ignore', 'ignore', 'inherit'] });
  const address = (): string | undefined => /serves (http:[^"]+)"/.exec(textSince(logFile, previous))?.[1];
  // Kills the server if this process exits early.
  const kill = (): unknown => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  await waitUntil(() => address() !== undefined || child.exitCode !== null);
  const url = address();
  if (url === undefined) throw new Error(`gatehouse did not start: it ended with ${child.exitCode ?? ''}`);
  return {
    url,
    child,
    log,
    issueToken(role) {
      const options = ['--role', role, '--subject', role, '--config', config];
      return execFileSync(process.execPath, [COMMAND, 'token', ...options])
        .toString()
        .trim();
    },
    async stop(signal = 'SIGTERM') {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill(signal);
      await gone;
    },
  };
}
