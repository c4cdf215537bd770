import type { Contender } from '../contender.js';
import { forwardingEndpoint } from '../endpoint.js';
import { nginx as nginxWith, nginxVersion } from '../nginx.js';
import { CPU, launch } from '../program.js';

/**
 * nginx as one process with persistent connections to the upstream. It does not verify tokens: the lower
 * bound of the cost.
 */
export const nginx: Contender = {
  name: 'nginx',
  says: 'forwards; no token, no translation',
  endpoint: forwardingEndpoint,
  checksRoles: false,
  lack: () => (nginxVersion() === undefined ? 'nginx is not installed' : undefined),
  start: ({ folder, port, upstreamPort }) =>
    launch({
      ...nginxWith(
        folder,
        `  upstream bench { server 127.0.0.1:${upstreamPort} max_fails=0; keepalive 256; }
  server {
    listen 127.0.0.1:${port} backlog=4096;
    location / { proxy_pass http://bench; proxy_http_version 1.1; proxy_set_header Connection ""; }
  }`,
      ),
      cpu: CPU.contender,
      port,
    }),
};
