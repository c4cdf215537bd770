import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from '../docs/markdown.js';

/** The orchestrator of the examples, as a process. */
interface ExampleOrchestrator {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts `examples/orchestrator/server.js` on a free port. */
export async function startExampleOrchestrator(
  env: Readonly<Record<string, string>> = {},
): Promise<ExampleOrchestrator> {
  const child = spawn(process.execPath, [join(ROOT, 'examples/orchestrator/server.js')], {
    env: { ...env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { url: line.replace('listens on ', ''), close: () => end(child) };
}

async function end(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.kill();
  await exit;
}
