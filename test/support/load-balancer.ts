import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { accepts } from './loopback.js';

/** A load balancer as a separate process. */
export interface LoadBalancer {
  readonly output: () => string;
  readonly stop: () => Promise<void>;
}

/** Starts a program that listens on a port. Resolves when the port accepts connections. */
export async function startLoadBalancer(
  program: string,
  args: readonly string[],
  port: number,
): Promise<LoadBalancer> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(child, 'close');
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error(`${program} ended: ${output}`);
    await setTimeout(20);
  }
  return {
    output: () => output,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Calls that run continuously through a load balancer. */
interface Load {
  readonly succeeded: () => number;
  /** What failed calls have received so far. */
  readonly failures: readonly string[];
  /** Ends the load. Resolves when the last call has ended. */
  readonly stop: () => Promise<void>;
}

/** Starts callers that send actions and queries one after the other, on connections that they keep. */
export function startLoad(url: string, token: string, callers: number): Load {
  const dispatcher = new Agent({
    connections: callers,
    pipelining: 1,
    connect: { rejectUnauthorized: false },
  });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const target = { path: '/state', accept: 'application/json' };
  const failures: string[] = [];
  let succeeded = 0;
  let isRunning = true;
  const send = async (operation: string, content: object): Promise<void> => {
    try {
      const body = JSON.stringify(content);
      const { statusCode, body: reply } = await request(`${url}/orchestrator_manager/${operation}/core1`, {
        method: 'POST',
        headers,
        body,
        dispatcher,
      });
      const text = await reply.text();
      if (statusCode === 200) succeeded += 1;
      else failures.push(`${operation}: ${statusCode} ${text.slice(0, 300)}`);
    } catch (error) {
      failures.push(`${operation}: ${String(error)}`);
    }
  };
  const caller = async (): Promise<void> => {
    while (isRunning) {
      await send('restAction', {
        params: { ...target, method: 'post', contentType: target.accept },
        body: {},
      });
      await send('restQuery', { params: target });
      await setTimeout(2);
    }
  };
  const running = Promise.all(Array.from({ length: callers }, caller));
  return {
    succeeded: () => succeeded,
    failures,
    async stop() {
      isRunning = false;
      await running;
      await dispatcher.close();
    },
  };
}
