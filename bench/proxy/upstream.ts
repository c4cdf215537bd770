import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../test/support/free-port.js';
import { nginx, nginxVersion } from './nginx.js';
import { HANG, REPLIES } from './profiles.js';
import { CPU, launch, type Program } from './program.js';

/** Server that all contenders call. */
export interface Upstream {
  readonly says: string;
  readonly port: number;
  /** Returns the number of accepted connections so far, without the connection of this query. */
  opened(): Promise<number>;
  /** Returns the number of pending calls that never get a reply. */
  hanging(): Promise<number>;
  stop(): Promise<void>;
}

const SCRIPT = fileURLToPath(new URL('upstream-main.js', import.meta.url));

/**
 * Starts the upstream: nginx if it is installed, with our own server for slow requests; otherwise only our
 * own server.
 */
export async function startUpstream(folder: string): Promise<Upstream> {
  const own = await startOwn(folder);
  const version = nginxVersion();
  const front = version === undefined ? undefined : await startFront(folder, own.port);
  let asked = 0;
  const status = async (port: number): Promise<string> => {
    const answer = await fetch(`http://127.0.0.1:${port}/status`, { headers: { connection: 'close' } });
    return answer.text();
  };
  return {
    says: version ?? `our own on Node.js ${process.version}: nginx is not installed`,
    port: front?.port ?? own.port,
    async opened() {
      const text = await status(front?.port ?? own.port);
      asked += 1;
      return openedOf(text) - asked;
    },
    async hanging() {
      asked += front ? 0 : 1;
      return (JSON.parse(await status(own.port)) as { readonly hanging: number }).hanging;
    },
    async stop() {
      await front?.stop();
      await own.stop();
    },
  };
}

/**
 * Returns the number of accepted connections so far, from the status page of nginx or of our own upstream.
 */
export function openedOf(status: string): number {
  return Number((/requests\s+(\d+)/.exec(status) ?? /"opened":(\d+)/.exec(status))?.[1]);
}

async function startOwn(folder: string): Promise<Program> {
  const port = await freePort();
  const log = join(folder, 'upstream.log');
  return launch({
    command: process.execPath,
    args: [SCRIPT, String(port)],
    cpu: CPU.others,
    port,
    log,
  });
}

/** Replies that are too long for a line of the configuration. */
const FILES = ['/large', '/huge'];

async function startFront(folder: string, own: number): Promise<Program> {
  const port = await freePort();
  const root = join(folder, 'files');
  mkdirSync(root, { recursive: true });
  for (const path of FILES) writeFileSync(join(root, path), REPLIES[path]?.body ?? '');
  const { command, args, log } = nginx(
    folder,
    `  upstream own { server 127.0.0.1:${own} max_fails=0; keepalive 256; }
  server {
    listen 127.0.0.1:${port} backlog=4096;
    location = /small { ${returned('/small')} }
    location = /busy { ${returned('/busy')} }
    ${FILES.map((path) => `location = ${path} { root ${root}; error_page 405 =200 $uri; }`).join('\n    ')}
    location = /slow { ${passed} }
    location = ${HANG.path} { ${passed} }
    location = /status { stub_status; }
  }`,
  );
  return launch({ command, args, log, cpu: CPU.others, port });
}

const passed = 'proxy_pass http://own; proxy_http_version 1.1; proxy_set_header Connection "";';

function returned(path: string): string {
  const { status = 404, body = '' } = REPLIES[path] ?? {};
  return `return ${status} '${body}';`;
}
