import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An orchestrator in this process that answers every request with `{}`. */
interface ReadyOrchestrator {
  readonly url: string;
  /** Closes the orchestrator and its connections. */
  readonly close: () => void;
}

/** Time limit of idle connections; it is long because gatehouse's limit is under test. */
const IDLE_MS = 600_000;

/** Opens an orchestrator on this machine. */
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
