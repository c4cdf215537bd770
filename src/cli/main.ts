#!/usr/bin/env node
import { run } from './run.js';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { CommandIo } from './command.js';
import { ignoreInspectorSignal } from '../server/inspector-signal.js';

/** Implements {@link CommandIo} with the current process. */
const processIo: CommandIo = {
  env: process.env,
  out: (line) => process.stdout.write(line),
  err: (line) => process.stderr.write(line),
  readPassword: (prompt) => (process.stdin.isTTY ? askHidden(prompt) : text(process.stdin)),
  onHangup: (listener) => process.on('SIGHUP', listener),
  onRestart: (listener) => process.on('SIGUSR2', listener),
  onStray: (listener) => process.on('unhandledRejection', listener).on('uncaughtException', listener),
  stopped: () =>
    new Promise((resolve) => {
      for (const signal of ['SIGTERM', 'SIGINT'] as const) {
        process.once(signal, () => {
          resolve();
        });
      }
    }),
};

/**
 * Asks for a line without echo. Readline echoes the input to its output, so the output discards everything.
 */
async function askHidden(prompt: string): Promise<string> {
  process.stderr.write(prompt);
  const mute = new Writable({
    write(_chunk, _encoding, done) {
      done();
    },
  });
  const lines = createInterface({ input: process.stdin, output: mute, terminal: true });
  try {
    return await lines.question('');
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}

// Every command may hold secrets, so none opens the inspector.
ignoreInspectorSignal();
process.exitCode = await run(process.argv.slice(2), processIo);

/**
 * Time for output to be written before the process exits, in milliseconds. Open handles (a plugin's timer,
 * for example) do not keep the process alive.
 */
const EXIT_DELAY_MS = 1_000;
setTimeout(() => process.exit(), EXIT_DELAY_MS).unref();
