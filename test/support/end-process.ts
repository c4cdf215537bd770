import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Returns true for a process that has ended, and for one that was never started. */
export function hasEnded(child: ChildProcess | undefined): boolean {
  return child?.exitCode !== null || child.signalCode !== null;
}

/** Sends a signal to a process, unless it has ended, and resolves when it has ended. */
export async function endProcess(child: ChildProcess | undefined, signal: NodeJS.Signals): Promise<void> {
  if (!child || hasEnded(child)) return;
  const exit = once(child, 'exit');
  child.kill(signal);
  await exit;
}
