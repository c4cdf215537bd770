import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { registerInput } from '../../support/input-file.js';
import { IS_LEAK_SCAN, keepOutput } from '../../support/leak-scan.js';
import { ROOT } from '../markdown.js';
import { openCommandServer } from './command-server.js';

/** The environment of the commands. */
export interface ShellOptions {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** Scripts of further programs, or in place of those of {@link PROGRAMS}. */
  readonly programs?: Readonly<Record<string, string>>;
}

interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/**
 * A shell that keeps its variables and folder between scripts, with replacements of programs that the guides
 * call.
 */
interface Shell {
  /** Runs a script to its end, or to its first failure. */
  run(script: string): Promise<Outcome>;
  /**
   * Runs a script until its last line reports that it serves, and keeps it running. `$PID` is its process.
   */
  serve(script: string): Promise<void>;
  /** Maps the origins of gatehouse in the guides to this port of 127.0.0.1 in curl. */
  curlTo(port: string): void;
  /** Stops the servers that still run. Throws if a server does not exit cleanly. */
  close(): Promise<void>;
}

interface Served {
  readonly child: ChildProcess;
  /** The printed output. */
  readonly log: string[];
}

/** The bundled command, which starts three times faster than the compiled modules. */
const COMMAND = join(ROOT, 'dist/bin/gatehouse.js');

const commandOf = (path: string): string =>
  `exec "${process.execPath}" "${fileURLToPath(new URL(path, import.meta.url))}" "$@"`;

/** Begins a command line that runs the real program that a replacement of the same name hides. */
export const REAL = 'PATH="${PATH#*:}" exec';

/**
 * The replacements of programs in the guides. `gatehouse serve` is a separate process; other commands of gatehouse are sent to
 * the command server. Commands that need root do nothing: no command changes the user, and all folders belong to the reader.
 */
const PROGRAMS: Readonly<Record<string, string>> = {
  npm: `case "$1" in
  start) exec gatehouse serve ;;
  run) exit ;;
  test) ${REAL} npm test --silent ;;
  install) case "$2" in *.tgz) ${REAL} npm "$@" --offline --no-audit --no-fund --silent ;; esac ;;
  pack) grep -qs gatehouse-plugin package.json && ${REAL} npm pack --silent
    # The command of the package. test/deploy/package.test.ts packs the whole package.
    ${REAL} tar -czf gatehouse-proxy-1.0.0.tgz --transform s,^,package/, -C "${ROOT}" --exclude "*.map" package.json dist/bin dist/src dist/plugins dist/build.json ;;
esac
${commandOf('npm-command.js')}`,
  git: '[ "$1" = clone ] && exec cp -r "$2" "$3"',
  // sudo does not pass on the variables of the caller.
  sudo: 'exec env -u VAULT_ADDR -u VAULT_TOKEN "$@"',
  // Makes a gatehouse error a failure of the command. A guide that already does so must not repeat the
  // option.
  curl: `case " $* " in *" -sf "*) ${REAL} curl "$@" ;; esac
${REAL} curl "$@" --fail-with-body`,
  install: `left=$#
while [ "$left" -gt 0 ]; do
  if [ "$1" = -g ]; then shift 2; left=$((left - 2)); else set -- "$@" "$1"; shift; left=$((left - 1)); fi
done
${REAL} install "$@"`,
  'systemd-sysusers': 'true',
  // A server of a guide listens on a free port.
  'free-port': `file="\${GATEHOUSE_CONFIG:-config/gatehouse.yaml}"
while [ $# -gt 0 ]; do [ "$1" != --config ] || file="$2"; shift; done
sed -i -E 's/(127\\.0\\.0\\.1|0\\.0\\.0\\.0):(3000|3443)/127.0.0.1:0/' "$file"`,
  websocat: commandOf('websocat-command.js'),
  node: `for word do
  shift
  case "$word" in dist/*.js) word="${COMMAND}" ;; esac
  set -- "$@" "$word"
done
case " $* " in *" serve "*) free-port "$@" ;; esac
exec "${process.execPath}" "$@"`,
};

const ORIGINS = ['127.0.0.1:3000', 'localhost:3443'] as const;

/** Creates a shell. Its state is in a subfolder of the folder and is removed on close. */
export async function openShell({ folder, env, programs }: ShellOptions): Promise<Shell> {
  const home = join(folder, '.shell');
  const state = join(home, 'variables');
  const served: Served[] = [];
  mkdirSync(join(home, 'bin'), { recursive: true });
  writeFileSync(state, '');
  const commandServer = await openCommandServer(join(home, 'commands'));
  install(join(home, 'bin'), {
    ...PROGRAMS,
    gatehouse: `[ "$1" != serve ] || exec node "${COMMAND}" "$@"\n${commandServer.scriptOf('gatehouse')}`,
    vault: commandServer.scriptOf('vault'),
    npx: '[ "$1" = gatehouse ] || exit 64\nexec "$@"',
    ...programs,
  });

  function open(script: string): ChildProcess {
    const before = `set -aeuo pipefail\n. "${state}"\ncd "$PWD"\ntrap 'export -p > "${state}"' EXIT\n`;
    const PATH = `${join(home, 'bin')}:${process.env['PATH'] ?? ''}`;
    return spawn('bash', ['-c', before + script], {
      cwd: folder,
      env: { ...process.env, ...env, HOME: home, CURL_HOME: home, PATH },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  function curlTo(port: string): void {
    const lines = ORIGINS.map((origin) => `connect-to = "${origin}:127.0.0.1:${port}"\n`);
    // Ends each reply with a line break.
    writeFileSync(join(home, '.curlrc'), `write-out = "\\n"\n${lines.join('')}`);
  }

  return {
    curlTo,
    async run(script) {
      const child = open(script);
      let out = '';
      let err = '';
      child.stdout?.on('data', (chunk: Buffer) => (out += chunk.toString()));
      child.stderr?.on('data', (chunk: Buffer) => (err += chunk.toString()));
      const [code] = (await once(child, 'close')) as [number | null];
      keepOutput('commands', out + err);
      registerSecretFiles(folder);
      return { code: code ?? -1, out, err };
    },
    async serve(script) {
      const [, before = '', last = ''] = /^(.*?)([^\n]+)\n$/s.exec(script) ?? [];
      const child = open(`${before}echo "PID=$$" >> "${state}"\ntrap - EXIT\nexec env ${last}`);
      const one = { child, log: [] };
      served.push(one);
      const port = await portOf(one);
      if (port === undefined) served.pop();
      else curlTo(port);
      assert.ok(port, `it does not serve:\n${one.log.join('')}`);
    },
    async close() {
      await commandServer.close();
      rmSync(home, { recursive: true });
      for (const one of served) await end(one);
    },
  };
}

/** A secret id of Vault, or a file of the store of secret files. */
const SECRET_FILE = /(?:^|\/)(?:secret_id|secrets\/.+)$/;

/** Registers the secret ids and the files in folders of secrets that the commands of a guide have written as input of gatehouse. */
function registerSecretFiles(folder: string): void {
  if (!IS_LEAK_SCAN) return;
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => SECRET_FILE.test(name)).map((name) => join(folder, name));
  registerInput(...files.filter((file) => statSync(file).isFile()));
}

function install(folder: string, programs: Readonly<Record<string, string>>): void {
  for (const [name, lines] of Object.entries(programs)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${lines}\n`);
    chmodSync(join(folder, name), 0o755);
  }
}

/** Waits for the port that the server reports. Returns undefined if the server exits first. */
async function portOf({ child: { stdout, stderr }, log }: Served): Promise<string | undefined> {
  stderr?.on('data', (chunk: Buffer) => log.push(chunk.toString()));
  if (!stdout) return undefined;
  for await (const line of createInterface({ input: stdout })) {
    keepOutput('commands', line);
    log.push(`${line}\n`);
    const [, port] = /serves https?:\/\/[^"\s]*:(\d+)/.exec(line) ?? [];
    if (port === undefined) continue;
    stdout.resume();
    return port;
  }
  return undefined;
}

async function end({ child, log }: Served): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit');
    child.kill();
    await ended;
  }
  assert.equal(child.exitCode, 0, `it ended with ${String(child.exitCode)}:\n${log.join('')}`);
}
