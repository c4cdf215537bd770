import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { Secret } from '../../src/core/secret.js';
import { endProcess, hasEnded } from './end-process.js';
import { freePort } from './free-port.js';
import { registerInput } from './input-file.js';
import { temporaryFolder } from './temporary-folder.js';
import { until } from './until.js';

const NETCONFD = '/usr/sbin/netconfd';
const SUBSYSTEM = '/usr/sbin/netconf-subsystem';
const SSHD = '/usr/sbin/sshd';

/** A NETCONF server (yuma123) behind the SSH server of OpenSSH, on a free port of 127.0.0.1. */
export interface NetconfServer {
  readonly port: number;
  readonly username: string;
  readonly privateKey: Secret;
  /** SHA-256 fingerprint of the host key. */
  readonly fingerprint: string;
  /** File in the format of OpenSSH's known_hosts. */
  readonly knownHosts: string;
  /** What both programs wrote. */
  readonly output: () => string;
  close(): Promise<void>;
}

/** Options of {@link startNetconfServer}. */
interface NetconfServerOptions {
  /** Datastore that clients may edit; `candidate` by default. */
  readonly target?: 'candidate' | 'running';
  /** YANG files that the server loads. */
  readonly modules?: readonly string[];
  readonly maxSessions?: number;
}

/** Starts a server with an empty configuration, and a key for the user of this process. */
export async function startNetconfServer(options: NetconfServerOptions = {}): Promise<NetconfServer> {
  const folder = temporaryFolder().path;
  const port = await freePort();
  const { username } = userInfo();
  const at = (name: string): string => join(folder, name);
  mkdirSync(at('run'));
  if (userInfo().uid === 0) mkdirSync('/run/sshd', { recursive: true });
  for (const name of ['host.key', 'user.key'])
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'test', '-f', at(name)]);
  registerInput(at('host.key'), at('user.key'));
  writeFileSync(at('sshd_config'), sshdConfig(port, folder));
  writeFileSync(at('known_hosts'), `[127.0.0.1]:${port} ${readFileSync(at('host.key.pub'), 'utf8')}`);
  const output: string[] = [];
  // It writes copies of its configuration to the current folder.
  const start = { cwd: folder, output };
  const programs = [run(NETCONFD, netconfdOptions(options, { port, folder, username }), start)];
  const close = async (): Promise<void> => {
    // Nothing that they would save is used again.
    for (const program of programs.toReversed()) await endProcess(program, 'SIGKILL');
  };
  try {
    await untilReady(programs, () => existsSync(at('ncx.sock')));
    programs.push(run(SSHD, ['-D', '-e', '-f', at('sshd_config')], start));
    await untilReady(programs, () => output.join('').includes('Server listening on'));
  } catch (error) {
    await close();
    throw new Error(`netconfd with sshd does not start: ${output.join('')}`, { cause: error });
  }
  const [, fingerprint = ''] = execFileSync('ssh-keygen', ['-l', '-f', at('host.key.pub')], {
    encoding: 'utf8',
  }).split(' ');
  return {
    port,
    username,
    privateKey: new Secret(readFileSync(at('user.key'), 'utf8')),
    fingerprint,
    knownHosts: at('known_hosts'),
    output: () => output.join(''),
    close,
  };
}

function sshdConfig(port: number, folder: string): string {
  return [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${folder}/host.key`,
    `PidFile ${folder}/sshd.pid`,
    `AuthorizedKeysFile ${folder}/user.key.pub`,
    'UsePAM no',
    'PasswordAuthentication no',
    'PermitRootLogin prohibit-password',
    'StrictModes no',
    'MaxStartups 100',
    `Subsystem netconf "${SUBSYSTEM} --ncxserver-sockname=${port}@${folder}/ncx.sock"`,
    '',
  ].join('\n');
}

function netconfdOptions(
  { target = 'candidate', modules = [], maxSessions = 64 }: NetconfServerOptions,
  { port, folder, username }: { readonly port: number; readonly folder: string; readonly username: string },
): readonly string[] {
  return [
    `--superuser=${username}`,
    `--port=${port}`,
    `--ncxserver-sockname=${folder}/ncx.sock`,
    `--home=${folder}/run`,
    '--no-startup',
    `--target=${target}`,
    `--max-sessions=${maxSessions}`,
    ...(target === 'candidate' ? ['--with-startup=true'] : []),
    ...modules.map((file) => `--module=${file}`),
  ];
}

function run(
  program: string,
  options: readonly string[],
  { cwd, output }: { readonly cwd: string; readonly output: string[] },
): ChildProcess {
  const child = spawn(program, options, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => output.push(bytes.toString()));
  return child;
}

/** Waits until the program that was started last is ready. Throws if one of them has ended. */
async function untilReady(programs: readonly ChildProcess[], isReady: () => boolean): Promise<void> {
  await until(() => programs.some(hasEnded) || isReady());
  const ended = programs.find(hasEnded);
  if (ended) throw new Error(`${ended.spawnfile} ended with ${ended.exitCode ?? ended.signalCode ?? ''}`);
}
