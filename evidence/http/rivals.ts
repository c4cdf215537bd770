import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { versionOf } from '../../bench/measure.js';
import { nginx, nginxVersion } from '../../bench/proxy/nginx.js';
import { CPU, launch, type Launch } from '../../bench/proxy/program.js';
import { freePort } from '../../test/support/free-port.js';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { SMUGGLING } from './measure.js';
import { smuggle } from './smuggling.js';

interface Rival {
  readonly version: string | undefined;
  readonly program: (
    folder: string,
    port: number,
    upstreamPort: number,
  ) => Pick<Launch, 'command' | 'args' | 'log'>;
}

const RIVALS: Readonly<Record<string, Rival>> = {
  nginx: {
    version: nginxVersion(),
    program: (folder, port, upstreamPort) =>
      nginx(
        folder,
        `server { listen 127.0.0.1:${port}; location / { proxy_pass http://127.0.0.1:${upstreamPort}; proxy_ignore_client_abort on; } }`,
      ),
  },
  haproxy: {
    version: versionOf('haproxy', '-v'),
    program: (folder, port, upstreamPort) => {
      const config = join(folder, 'haproxy.cfg');
      writeFileSync(
        config,
        `defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
frontend callers
  bind 127.0.0.1:${port}
  default_backend upstream
backend upstream
  server one 127.0.0.1:${upstreamPort}
`,
      );
      return { command: 'haproxy', args: ['-db', '-f', config], log: join(folder, 'haproxy.log') };
    },
  },
};

/** The same messages through other proxies to a server of Node.js, for comparison; those that are not installed are left out. */
export async function measureRivals(): Promise<Readonly<Record<string, unknown>>> {
  const found: Record<string, unknown> = {};
  for (const [name, rival] of Object.entries(RIVALS))
    found[name] = rival.version === undefined ? 'not installed' : await measureRival(rival);
  return found;
}

async function measureRival({ version, program }: Rival): Promise<Readonly<Record<string, unknown>>> {
  let done = 0;
  const origin = createServer((request, response) => {
    if (request.method === 'PUT') done += 1;
    request.resume().on('end', () => response.end('{}'));
  }).listen(0, '127.0.0.1');
  await once(origin, 'listening');
  const folder = temporaryFolder();
  const port = await freePort();
  const { port: upstreamPort } = origin.address() as AddressInfo;
  const running = await launch({ ...program(folder.path, port, upstreamPort), cpu: CPU.contender, port });
  const { refused, answered, silent } = await smuggle(port, SMUGGLING, { leaving: true });
  await running.stop();
  origin.closeAllConnections();
  origin.close();
  folder.remove();
  return { version, refused, answered: answered.length, silent: silent.length, secondRequests: done };
}
