import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Range below the ports that Linux gives to outgoing connections, one of which could take a port before its server listens. */
const [FIRST, AFTER_LAST] = [12_000, 32_000];

/** Returns a free port of 127.0.0.1. */
export async function freePort(): Promise<number> {
  const port = randomInt(FIRST, AFTER_LAST);
  const server = createServer();
  const isFree = await new Promise<boolean>((resolve) => {
    server.once('error', () => {
      resolve(false);
    });
    server.listen(port, '127.0.0.1', () => {
      resolve(true);
    });
  });
  if (!isFree) return freePort();
  server.close();
  await once(server, 'close');
  return port;
}
