import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Contender } from '../contender.js';
import { envelopeEndpoint } from '../endpoint.js';
import { CPU, launch } from '../program.js';

const PROGRAM = fileURLToPath(new URL('../../../../bench/peers/usual.mjs', import.meta.url));

/** Express and http-proxy-middleware in their usual combination. */
export const usual: Contender = {
  name: 'usual',
  says: 'Express + http-proxy-middleware: token, role, translation; no schema, audit, metrics, log',
  endpoint: envelopeEndpoint('/orchestrator_manager', 'bench'),
  checksRoles: true,
  lack: () => undefined,
  start: ({ folder, port, upstreamPort, publicKeyFile }) =>
    launch({
      command: process.execPath,
      args: [PROGRAM, String(port), `http://127.0.0.1:${upstreamPort}`, publicKeyFile],
      cpu: CPU.contender,
      port,
      log: join(folder, 'output.log'),
    }),
};
