import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { freePort } from './free-port.js';
import { COMMAND, FLAGS } from './gatehouse-command.js';

export interface BalancedNodeOptions {
  readonly name: string;
  /** Holds a folder for each node, and the signing key that they share. */
  readonly folder: string;
  /** Members of the block `server`, besides the address. */
  readonly server: string;
  readonly orchestratorUrl: string;
}

/** A line of a node's log. */
export type NodeLogLine = Readonly<Record<string, unknown>>;

/** `gatehouse serve` as a separate process behind a load balancer. */
export class BalancedNode {
  readonly port: number;
  /** Log lines of all starts. */
  readonly lines: NodeLogLine[] = [];
  readonly #configPath: string;
  #child: ChildProcess | undefined;

  private constructor(port: number, configPath: string) {
    this.port = port;
    this.#configPath = configPath;
  }

  /** Writes the configuration of a node and starts it. Resolves when it serves. */
  static async start({ name, folder, server, orchestratorUrl }: BalancedNodeOptions): Promise<BalancedNode> {
    const port = await freePort();
    mkdirSync(join(folder, name, 'adapters'), { recursive: true });
    const configPath = join(folder, name, 'gatehouse.yaml');
    writeFileSync(
      configPath,
      `server: { listen: "127.0.0.1:${port}", ${server} }
storage: { url: "sqlite:data/gatehouse.db" }
audit: { file: data/audit.log, durability: written }
egress: { adapters: [127.0.0.0/8] }
auth: { local: { keyFile: ../issuer.pem } }
`,
    );
    writeFileSync(
      join(folder, name, 'adapters/core1.yaml'),
      `plugin: http-rest\nbaseUrl: ${orchestratorUrl}\n`,
    );
    const node = new BalancedNode(port, configPath);
    await node.serve();
    return node;
  }

  /** Starts the process again. */
  async serve(): Promise<void> {
    const args = [...FLAGS, COMMAND, 'serve', '--config', this.#configPath];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    this.#child = child;
    await new Promise<void>((resolve, reject) => {
      createInterface({ input: child.stdout }).on('line', (text) => {
        if (!text.startsWith('{')) return;
        const line = JSON.parse(text) as NodeLogLine;
        this.lines.push(line);
        if (String(line['message']).includes(' serves http')) resolve();
      });
      child.once('exit', (code) => {
        reject(new Error(`a node ended with ${code}`));
      });
    });
  }

  /** Sends SIGTERM and waits for the end. Returns the exit code. */
  async stop(): Promise<number | null> {
    const child = this.#child;
    if (child?.exitCode !== null || child.signalCode !== null) return null;
    child.kill('SIGTERM');
    await once(child, 'close');
    return child.exitCode;
  }

  /** Ends the process at once. */
  kill(): void {
    this.#child?.kill('SIGKILL');
  }
}

/** A load balancer as a separate process. */
export interface LoadBalancer {
  /** Output so far. */
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

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** Calls that run continuously through a load balancer. */
export interface Load {
  /** Number of calls that succeeded so far. */
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
