import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Contender } from '../contender.js';
import { forwardingEndpoint } from '../endpoint.js';
import { commandOf, type InstalledProgram, lackOf } from '../installed.js';
import { CPU, launch } from '../program.js';

const TRAEFIK: InstalledProgram = { variable: 'TRAEFIK_BINARY', command: 'traefik', version: 'version' };

/** Traefik with one thread for its code. Its open-source edition has no check of tokens. */
export const traefik: Contender = {
  name: 'traefik',
  says: 'forwards, access log; no token, no translation',
  endpoint: forwardingEndpoint,
  checksRoles: false,
  lack: () => lackOf(TRAEFIK),
  start: ({ folder, port, upstreamPort }) => {
    const [routes, config] = [join(folder, 'routes.yaml'), join(folder, 'traefik.yaml')];
    writeFileSync(routes, routeFile(upstreamPort));
    writeFileSync(config, mainFile({ port, routes, accessLog: join(folder, 'access.log') }));
    return launch({
      command: commandOf(TRAEFIK),
      args: [`--configFile=${config}`],
      cpu: CPU.contender,
      port,
      log: join(folder, 'output.log'),
      env: { GOMAXPROCS: '1' },
    });
  },
};

interface Parts {
  readonly port: number;
  readonly routes: string;
  readonly accessLog: string;
}

function mainFile({ port, routes, accessLog }: Parts): string {
  return `global: { checkNewVersion: false, sendAnonymousUsage: false }
entryPoints: { callers: { address: "127.0.0.1:${port}" } }
providers: { file: { filename: "${routes}", watch: false } }
accessLog: { filePath: "${accessLog}", format: json }
log: { level: WARN }
`;
}

function routeFile(upstreamPort: number): string {
  return `http:
  routers: { all: { rule: "PathPrefix(\`/\`)", entryPoints: [callers], service: upstream } }
  services:
    upstream:
      loadBalancer:
        servers: [{ url: "http://127.0.0.1:${upstreamPort}" }]
        serversTransport: keeping
  serversTransports: { keeping: { maxIdleConnsPerHost: 256 } }
`;
}
