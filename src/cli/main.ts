import { spawn } from 'node:child_process';
import { Writable } from 'node:stream';
import { printableLines } from '../lib/escape-unprintable.js';
import { ignoreInspectorSignal } from '../server/inspector-signal.js';
import { startWatchdog } from '../server/watchdog/watchdog.js';
import type { CommandIo } from './lib/command.js';
import { run } from './run.js';

/** Signals that stop the server. By default, SIGQUIT would write a core dump, which holds secrets. */
const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGQUIT'] as const;

/** Implements {@link CommandIo} with the current process. */
const processIo: CommandIo = {
  env: process.env,
  out: (text) => process.stdout.write(process.stdout.isTTY ? printableLines(text) : text),
  err: (text) => process.stderr.write(printableLines(text)),
  async flush() {
    await Promise.all([written(process.stdout), written(process.stderr)]);
  },
  readPassword: (prompt) => (process.stdin.isTTY ? askHidden(prompt) : readInput()),
  openBrowser,
  onHangup: (listener) => process.on('SIGHUP', listener),
  onRestart: (listener) => process.on('SIGUSR2', listener),
  onStray: (listener) => process.on('unhandledRejection', listener).on('uncaughtException', listener),
  startWatchdog,
  onStop(listener) {
    for (const signal of STOP_SIGNALS) process.on(signal, listener);
    return () => {
      for (const signal of STOP_SIGNALS) process.off(signal, listener);
    };
  },
};

/** Reads standard input to its end. */
async function readInput(): Promise<string> {
  const { text } = await import('node:stream/consumers');
  return text(process.stdin);
}

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
  const { createInterface } = await import('node:readline/promises');
  const lines = createInterface({ input: process.stdin, output: mute, terminal: true });
  try {
    return await lines.question('');
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}

/** Resolves when a stream has written everything, or cannot write. */
function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    stream.write('', () => {
      resolve();
    });
  });
}

/** Exit code of a program that SIGPIPE has ended, for shells. */
const BROKEN_PIPE_EXIT_CODE = 141;

/** Returns true for a server, which logs uncaught errors and continues. */
function isServer(): boolean {
  return process.listenerCount('uncaughtException') > 0;
}

/**
 * Ends the process when the reader of its output has closed the pipe, as `head` does. A server continues: each write to a closed
 * standard output fails again, and its log has reported the first failure.
 */
function endWithReader(error: NodeJS.ErrnoException): void {
  if (isServer()) return;
  if (error.code !== 'EPIPE') throw error;
  process.exit(BROKEN_PIPE_EXIT_CODE);
}

/** Programs that open a page in the user's browser, by platform. */
const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  linux: ['xdg-open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

function openBrowser(url: string): void {
  const [program, ...args] = OPENERS[process.platform] ?? [];
  // Without a terminal there is no person, and without a display no browser.
  const hasDisplay =
    process.platform !== 'linux' || (process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY']);
  if (program === undefined || !process.stderr.isTTY || !hasDisplay) return;
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true });
  // The address is on the screen, so a missing program is no failure.
  child.on('error', () => undefined);
  child.unref();
}

// Every command may hold secrets, so none opens the inspector.
ignoreInspectorSignal();
process.stdout.on('error', endWithReader);
process.exitCode = await run(process.argv.slice(2), processIo);

/**
 * Time for handles to close before the process exits, in milliseconds. Handles that stay open (a plugin's timer, for
 * example) do not keep the process alive.
 */
const EXIT_DELAY_MS = 1_000;
const exit = (): never => process.exit();
// The output of a command is complete even if its reader is slow. A server ends although the reader of its log hangs.
const flushTimer = isServer() ? setTimeout(exit, EXIT_DELAY_MS) : undefined;
await processIo.flush();
clearTimeout(flushTimer);
setTimeout(exit, EXIT_DELAY_MS).unref();
