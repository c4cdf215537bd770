import type { PluginCall } from '../../core/adapter-method.js';
import { STUCK_EXIT_CODE } from './protocol.js';

/** A frame of the stack of the main thread. */
export interface StackFrame {
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
export interface StuckReport {
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
