import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openUpstream } from '../src/upstream/open-upstream.js';
import { adapterSettings } from '../test/support/adapter-settings.js';
import { report, SABOTAGED } from './report.js';

// Actions during a storm of connection resets: no action is received twice, whatever happens to its
// connection.
const ACTIONS = Number(process.argv[2] ?? '100000');
const AT_ONCE = 64;
const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;

const received = new Map<string, number>();
let resets = 0;
const server = createServer((request, response) => {
  const id = request.url ?? '';
  received.set(id, (received.get(id) ?? 0) + 1);
  const fate = Number(id.slice(1)) % 4;
  // Cut while the request is read, cut after it was read, half answered, or answered.
  if (fate === 0) cut(request);
  else
    request.resume().on('end', () => {
      if (fate === 1) cut(request);
      else if (fate === 2) {
        response.writeHead(200, { 'content-length': 10 });
        response.write('half', () => {
          cut(request);
        });
      } else response.end('{}');
    });
}).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const { port } = server.address() as AddressInfo;
const settings = adapterSettings({
  baseUrl: `http://127.0.0.1:${port}`,
  breaker: { failures: 0 },
  retry: { attempts: 5, budgetPercent: 100 },
});
const upstream = openUpstream(settings, {});

let next = 0;
let answered = 0;
async function caller(): Promise<void> {
  while (next < ACTIONS) {
    const id = next++;
    const request = {
      method: METHODS[id % METHODS.length] ?? 'POST',
      path: `/${id}`,
      headers: {},
      body: Buffer.from('{}'),
    };
    const send = () => upstream.send(request, new AbortController().signal);
    // Failed actions must not be repeated.
    await send()
      .catch((error: unknown) => (SABOTAGED ? send() : Promise.reject(error as Error)))
      .then(
        () => (answered += 1),
        () => undefined,
      );
  }
}
await Promise.all(Array.from({ length: AT_ONCE }, caller));
await upstream.close();
server.closeAllConnections();
server.close();
const twice = [...received.values()].filter((count) => count > 1).length;
report('storm', received.size > 0 && answered > 0 && resets > 0 && twice === 0, {
  actions: ACTIONS,
  answered,
  resets,
  received: received.size,
  receivedTwice: twice,
});

function cut({ socket }: IncomingMessage): void {
  resets += 1;
  socket.resetAndDestroy();
}
