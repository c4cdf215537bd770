import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

/** An orchestrator that answers every request with `{}`. */
interface ReadyOrchestrator {
  readonly url: string;
  /** Closes the orchestrator and its connections. */
  readonly close: () => void;
}

/** Time limit of idle connections; it is long because gatehouse's limit is under test. */
const IDLE_MS = 600_000;

/** Opens an orchestrator in this process. */
export async function openReadyOrchestrator(): Promise<ReadyOrchestrator> {
  const server = createServer((request, response) => {
    request.resume();
    response.setHeader('content-type', 'application/json').end('{}');
  }).listen(0, '127.0.0.1');
  server.keepAliveTimeout = IDLE_MS;
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Starts an orchestrator in a process of its own, which the work of this process does not delay. */
export async function startReadyOrchestrator(): Promise<ReadyOrchestrator> {
  const child = fork(fileURLToPath(new URL('ready-orchestrator-process.js', import.meta.url)), {
    execArgv: [],
  });
  const [url] = (await once(child, 'message')) as [string];
  return {
    url,
    close() {
      child.kill();
    },
  };
}
