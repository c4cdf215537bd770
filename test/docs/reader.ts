import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { keepOutput } from '../support/sweep.js';
import { openCommandDesk } from './command-desk.js';
import type { Block } from './markdown.js';
import { markOf } from './marks.js';
import { compareShown } from './shown.js';

/** Where a guide is followed. */
export interface Setting {
  /** What the guide takes for the checkout or the folder of the operator; commands begin here. */
  readonly folder: string;
  /** Variables that the guide takes for given. */
  readonly env: Readonly<Record<string, string>>;
  /** What the guide writes, and what stands for it here. Commands of curl are left as they are: see `curlTo`. */
  readonly names: ReadonlyMap<string, string>;
}

/** Somebody who follows one guide, block after block, and finds what the guide shows, or fails. */
export interface Reader {
  /** Has curl find what the guide calls `host:port` at this port of 127.0.0.1. */
  curlTo(port: string): void;
  /** Does what one block says; throws when it does not come out as the block says. */
  follow(block: Block): Promise<void>;
  /** Ends what was left serving; throws when it does not end well. */
  close(): Promise<void>;
}

interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

const MAIN = fileURLToPath(new URL('../../src/main.js', import.meta.url));
const VAULT = fileURLToPath(new URL('../support/vault-command.js', import.meta.url));

/** Programs as the guides call them; `npx gatehouse` is for the desk. */
const PROGRAMS: Readonly<Record<string, string>> = {
  npm: `[ "$*" = start ] && exec "${process.execPath}" "${MAIN}" serve`,
  node: `[ "$1" = dist/src/main.js ] && shift && set -- "${MAIN}" "$@"; exec "${process.execPath}" "$@"`,
  // It hands an administrator what is secret, so that a swept run must not take its output for ours.
  vault: `unset NODE_OPTIONS; exec "${process.execPath}" "${VAULT}" "$@"`,
};

/** Origins of gatehouse in the guides. */
const ORIGINS = ['127.0.0.1:3000', 'localhost:3443'] as const;

/** Begins to follow a guide. */
export async function openReader({ folder, env, names }: Setting): Promise<Reader> {
  const home = join(folder, '.reader');
  const state = join(home, 'variables');
  const known = new Map(names);
  const serving: { readonly child: ChildProcess; readonly log: string[] }[] = [];
  let printed = '';
  mkdirSync(join(home, 'bin'), { recursive: true });
  writeFileSync(state, '');
  const desk = await openCommandDesk(join(home, 'desk'));
  const npx = `[ "$1" = gatehouse ] || exit 64\nshift\n${desk.script}`;
  for (const [name, line] of Object.entries({ ...PROGRAMS, npx })) {
    writeFileSync(join(home, 'bin', name), `#!/bin/sh\n${line}\n`);
    chmodSync(join(home, 'bin', name), 0o755);
  }

  /** A block in the guide's own names, as a shell here takes it; variables live on from block to block. */
  function open(text: string): ChildProcess {
    const script = `set -aeuo pipefail\n. "${state}"\ncd "$PWD"\ntrap 'export -p > "${state}"' EXIT\n${here(text)}`;
    const { PATH = '' } = process.env;
    return spawn('bash', ['-c', script], {
      cwd: folder,
      env: { ...process.env, ...env, HOME: home, CURL_HOME: home, PATH: `${join(home, 'bin')}:${PATH}` },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  function here(text: string): string {
    const longestFirst = [...known].sort(([a], [b]) => b.length - a.length);
    return longestFirst.reduce((result, [name, value]) => result.replaceAll(name, value), text);
  }

  async function run(text: string): Promise<Outcome> {
    const child = open(text);
    let out = '';
    let err = '';
    child.stdout?.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (err += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    keepOutput('commands', out + err);
    return { code: code ?? -1, out, err };
  }

  /** Leaves the last command of a block running, once it says that it serves. */
  async function serve(text: string): Promise<void> {
    const [, before = '', last = ''] = /^(.*?)([^\n]+)\n$/s.exec(text) ?? [];
    const child = open(`${before}echo "PID=$$" >> "${state}"\ntrap - EXIT\nexec ${last}`);
    const log: string[] = [];
    child.stderr?.on('data', (chunk: Buffer) => log.push(chunk.toString()));
    if (!child.stdout) return;
    for await (const line of createInterface({ input: child.stdout })) {
      keepOutput('commands', line);
      log.push(`${line}\n`);
      const [, port] = /serves https?:\/\/[^"\s]*:(\d+)/.exec(line) ?? [];
      if (port !== undefined) {
        child.stdout.resume();
        serving.push({ child, log });
        curlTo(port);
        return;
      }
    }
    throw new Error(`it does not serve:\n${log.join('')}`);
  }

  function curlTo(port: string): void {
    const lines = ORIGINS.map((origin) => `connect-to = "${origin}:127.0.0.1:${port}"\n`);
    // A refusal of gatehouse is a failure of the command, and each answer has a line of its own.
    writeFileSync(join(home, '.curlrc'), `fail-with-body\nwrite-out = "\\n"\n${lines.join('')}`);
  }

  async function runBlock({ text }: Block, detail: string): Promise<void> {
    const { code, out, err } = await run(text);
    const wanted = Number(/^exit (\d+)$/.exec(detail)?.[1] ?? 0);
    assert.equal(code, wanted, `exit code ${code}\n${out}${err}`);
    printed = out;
  }

  return {
    curlTo,
    async follow(block) {
      const { kind, detail } = markOf(block);
      if (kind === 'run' && detail === 'serves') await serve(block.text);
      else if (kind === 'run') await runBlock(block, detail);
      else if (kind === 'file') write(join(folder, detail), here(block.text));
      else if (kind === 'shows') {
        const found = compareShown({ text: block.text, printed, isExact: detail === 'exactly' });
        for (const [shown, real] of found) known.set(shown, real);
      }
    },
    async close() {
      await desk.close();
      rmSync(home, { recursive: true });
      for (const { child, log } of serving) {
        if (child.exitCode === null && child.signalCode === null) {
          const ended = once(child, 'exit');
          child.kill();
          await ended;
        }
        assert.equal(child.exitCode, 0, `it ended with ${String(child.exitCode)}:\n${log.join('')}`);
      }
    },
  };
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  // Files of an operator's hand are not laid over by accident: a guide that names one twice says so with another name.
  assert.ok(!existsSync(path), `${path} is there already`);
  writeFileSync(path, text);
}
