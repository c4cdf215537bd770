import { join } from 'node:path';
import type { Contender } from '../contender.js';
import { forwardingEndpoint } from '../endpoint.js';
import { install, type Peer, programOf } from '../peers.js';
import { CPU, launch } from '../program.js';

const PEER: Peer = {
  program: 'fastify.mjs',
  packages: ['fastify@5.12.8', '@fastify/http-proxy@11.6.3', '@fastify/jwt@10.2.8'],
};

/** Fastify with @fastify/http-proxy and a cache of verified tokens. */
export const fastify: Contender = {
  name: 'fastify',
  says: '@fastify/http-proxy: token, role; no translation, no log',
  endpoint: forwardingEndpoint,
  checksRoles: true,
  lack: () => install(PEER),
  start: ({ folder, port, upstreamPort, publicKeyFile }) =>
    launch({
      command: process.execPath,
      args: [programOf(PEER), String(port), `http://127.0.0.1:${upstreamPort}`, publicKeyFile],
      cpu: CPU.contender,
      port,
      log: join(folder, 'output.log'),
    }),
};
