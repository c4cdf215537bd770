import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Contender } from '../contender.js';
import { forwardingEndpoint } from '../endpoint.js';
import { commandOf, type InstalledProgram, lackOf } from '../installed.js';
import { CPU, launch } from '../program.js';

const CADDY: InstalledProgram = { variable: 'CADDY_BINARY', command: 'caddy', version: 'version' };

/** Caddy with one thread for its code. It has no check of tokens without modules of others. */
export const caddy: Contender = {
  name: 'caddy',
  says: 'forwards, access log; no token, no translation',
  endpoint: forwardingEndpoint,
  checksRoles: false,
  lack: () => lackOf(CADDY),
  start: ({ folder, port, upstreamPort }) => {
    const config = join(folder, 'Caddyfile');
    writeFileSync(config, configuration({ folder, port, upstreamPort }));
    return launch({
      command: commandOf(CADDY),
      args: ['run', '--config', config, '--adapter', 'caddyfile'],
      cpu: CPU.contender,
      port,
      log: join(folder, 'output.log'),
      env: { GOMAXPROCS: '1', XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    });
  },
};

interface Parts {
  readonly folder: string;
  readonly port: number;
  readonly upstreamPort: number;
}

function configuration({ folder, port, upstreamPort }: Parts): string {
  return `{
  admin off
  auto_https off
  persist_config off
}
http://:${port} {
  bind 127.0.0.1
  log {
    output file ${join(folder, 'access.log')}
    format json
  }
  reverse_proxy 127.0.0.1:${upstreamPort} {
    transport http {
      keepalive_idle_conns_per_host 256
    }
  }
}
`;
}
