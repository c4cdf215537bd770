import { appendFileSync, writeSync } from 'node:fs';
import { type Debugger, Session } from 'node:inspector';
import { isatty } from 'node:tty';
import { PLUGIN_CALL, type PluginCall } from '../../core/adapter-method.js';
import { systemClock } from '../../lib/clock.js';
import { makeEntry, renderAs } from '../../telemetry/log/line.js';
import { STUCK_EXIT_CODE, type WatchdogOutput } from './protocol.js';

/** Time for the main thread to stop at its next statement, in milliseconds. */
const PAUSE_TIMEOUT_MS = 2_000;

/** Ends the process. Closes standard error first, on which Node.js would report the session of its inspector. */
const EXIT_EXPRESSION = `process.getBuiltinModule('node:fs').closeSync(2); process.reallyExit(${STUCK_EXIT_CODE});`;

/**
 * Reports the code that does not return, and ends the process. Called by the thread of the watchdog. Writes with synchronous
 * calls, because the log belongs to the event loop that is stuck.
 */
export function endStuckProcess(seconds: number, output: WatchdogOutput): void {
  const report = (frames: readonly StackFrame[], call?: PluginCall): void => {
    writeReport(describeStuckLoop({ seconds, frames, ...(call && { call }) }), output);
  };
  const session = new Session();
  const kill = setTimeout(() => {
    report([]);
    process.kill(process.pid, 'SIGKILL');
  }, PAUSE_TIMEOUT_MS);
  try {
    // Connects within the process; no port is opened.
    session.connectToMainThread();
    const urls = new Map<string, string>();
    session.on('Debugger.scriptParsed', ({ params: { scriptId, url } }) => urls.set(scriptId, url));
    session.on('Debugger.paused', ({ params }) => {
      clearTimeout(kill);
      readPluginCall(session, (call) => {
        report(
          params.callFrames.map((frame) => frameOf(frame, urls)),
          call,
        );
        // In the main thread, because a thread can only end itself. No handler runs that could wait for the event loop.
        session.post('Runtime.evaluate', { expression: EXIT_EXPRESSION });
        setTimeout(() => process.kill(process.pid, 'SIGKILL'), PAUSE_TIMEOUT_MS);
      });
    });
    session.post('Debugger.enable');
    session.post('Debugger.pause');
  } catch {
    // Node.js has no inspector: the timer ends the process.
  }
}

function frameOf(
  { functionName, location }: Debugger.CallFrame,
  urls: ReadonlyMap<string, string>,
): StackFrame {
  const url = urls.get(location.scriptId) ?? '';
  return { functionName, url, line: location.lineNumber + 1, column: (location.columnNumber ?? 0) + 1 };
}

/** Reads the call of a plugin that the main thread runs. */
function readPluginCall(session: Session, then: (call: PluginCall | undefined) => void): void {
  const expression = `globalThis[Symbol.for('${PLUGIN_CALL}')]`;
  session.post('Runtime.evaluate', { expression, returnByValue: true }, (error, reply) => {
    then(error ? undefined : (reply.result.value as PluginCall | undefined));
  });
}

/** Maximum size of a line in bytes: a pipe takes that many at once (PIPE_BUF), so that lines of processes do not mix. */
const MAX_LINE_BYTES = 4096;

function writeReport({ message, fields }: StuckReport, output: WatchdogOutput): void {
  const { stack, ...others } = fields;
  if (output.kind === 'message') {
    write(2, `${output.prefix}${message}\n${stack ? `${stack.join('\n')}\n` : ''}`);
    return;
  }
  const lineOf = (shown: readonly string[] | undefined, isTerminal: boolean): string =>
    renderAs(output.log.format, { isTerminal, colours: isTerminal })(
      makeEntry(systemClock, 'error', {
        message,
        fields: { ...output.fields, ...others, ...(shown && { stack: shown }) },
      }),
    );
  const full = lineOf(stack, false);
  const line = Buffer.byteLength(full) > MAX_LINE_BYTES ? lineOf(stack?.slice(0, 1), false) : full;
  write(1, isatty(1) ? lineOf(stack, true) : line);
  if (output.log.file !== null) appendLine(output.log.file, line);
}

/** Writes to a descriptor. A reader that is gone must not keep the process alive. */
function write(descriptor: number, text: string): void {
  try {
    writeSync(descriptor, text);
  } catch {
    // The exit code still says what happened.
  }
}

function appendLine(file: string, line: string): void {
  try {
    appendFileSync(file, line);
  } catch {
    // Standard output has the line.
  }
}

/** A frame of the stack of the main thread. */
interface StackFrame {
  readonly functionName: string;
  /** Path or URL of the module. */
  readonly url: string;
  /** From 1. */
  readonly line: number;
  readonly column: number;
}

interface StuckLoop {
  /** CPU time of the code that does not return. */
  readonly seconds: number;
  /** The stack, innermost frame first; empty if it cannot be read. */
  readonly frames: readonly StackFrame[];
  /** The call of a plugin that runs; absent if no plugin runs. */
  readonly call?: PluginCall;
}

/** Maximum number of frames in a report. */
const MAX_FRAMES = 12;

/** The line that reports code that does not return. */
interface StuckReport {
  readonly message: string;
  readonly fields: {
    readonly seconds: number;
    readonly adapter?: string;
    readonly plugin?: string;
    readonly method?: string;
    readonly exitCode?: number;
    readonly signal?: 'SIGKILL';
    readonly fix: string;
    readonly stack?: readonly string[];
  };
}

const PLUGIN_FIX = 'Repair the plugin, or remove its adapter; the first line of the stack is in the loop.';
const UNKNOWN_FIX = 'The first line of the stack is in the loop; a plugin may have called it.';

/** Returns the report of an event loop that code does not return to. */
export function describeStuckLoop({ seconds, frames, call }: StuckLoop): StuckReport {
  const stack = frames
    .slice(0, MAX_FRAMES)
    .map(
      ({ functionName, url, line, column }) =>
        `at ${functionName || '<anonymous>'} (${url}:${line}:${column})`,
    );
  const code = call ? `${call.method} of ${nameOf(call)}` : 'code';
  return {
    message: `${code} does not return; ending the process`,
    fields: {
      seconds,
      ...call,
      // Code without a readable stack cannot be interrupted.
      ...(stack.length > 0 ? { exitCode: STUCK_EXIT_CODE } : { signal: 'SIGKILL' }),
      fix: call ? PLUGIN_FIX : UNKNOWN_FIX,
      ...(stack.length > 0 && { stack }),
    },
  };
}

function nameOf({ plugin, adapter }: PluginCall): string {
  const named = `the plugin "${plugin}"`;
  return adapter === undefined ? named : `${named} for the adapter "${adapter}"`;
}
