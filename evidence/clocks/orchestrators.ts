import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Three orchestrators on one port, each below its own path. */
export interface Orchestrators {
  /** `<url>/sound` answers, `<url>/mute` never does, `<url>/broken` hangs up until it is mended. */
  readonly url: string;
  setBroken(isBroken: boolean): void;
  /** Returns the number of calls that `mute` has not answered. */
  readonly held: () => number;
  close(): Promise<void>;
}

/** Starts them on a free port of 127.0.0.1. */
export async function openOrchestrators(): Promise<Orchestrators> {
  let isBroken = false;
  let held = 0;
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/mute')) {
      held += 1;
      response.on('close', () => (held -= 1));
    } else if (isBroken && request.url?.startsWith('/broken')) request.socket.destroy();
    else response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    setBroken: (value) => (isBroken = value),
    held: () => held,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
