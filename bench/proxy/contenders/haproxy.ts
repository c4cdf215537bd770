import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { versionOf } from '../../measure.js';
import { type Contender, TOKENS } from '../contender.js';
import { forwardingEndpoint } from '../endpoint.js';
import { CPU, launch } from '../program.js';

/**
 * HAProxy with one thread: it verifies the token and its claims, and forwards. It reads one role of a list,
 * not all.
 */
export const haproxy: Contender = {
  name: 'haproxy',
  says: 'token, role; no translation, no log',
  endpoint: forwardingEndpoint,
  checksRoles: true,
  lack: () => (spawnable() ? undefined : 'HAProxy 2.5 or later is not installed'),
  start: ({ folder, port, upstreamPort, publicKeyFile }) => {
    const config = join(folder, 'haproxy.cfg');
    writeFileSync(config, configuration({ port, upstreamPort, publicKeyFile }));
    return launch({
      command: 'haproxy',
      args: ['-db', '-f', config],
      cpu: CPU.contender,
      port,
      log: join(folder, 'output.log'),
    });
  },
};

function spawnable(): boolean {
  const [, major = '0', minor = '0'] = /version (\d+)\.(\d+)/.exec(versionOf('haproxy', '-v') ?? '') ?? [];
  return Number(major) > 2 || (Number(major) === 2 && Number(minor) >= 5);
}

interface Parts {
  readonly port: number;
  readonly upstreamPort: number;
  readonly publicKeyFile: string;
}

function configuration({ port, upstreamPort, publicKeyFile }: Parts): string {
  const claim = (path: string, type = '') => `http_auth_bearer,jwt_payload_query('$.${path}'${type})`;
  return `global
  maxconn 4096
  nbthread 1
defaults
  mode http
  timeout connect 5s
  timeout client 600s
  timeout server 60s
  option abortonclose
  http-reuse always
frontend callers
  bind 127.0.0.1:${port} backlog 4096
  http-request set-var(txn.now) date()
  http-request set-var(txn.exp) ${claim('exp', ",'int'")}
  http-request deny deny_status 401 unless { http_auth_bearer,jwt_verify("RS256","${publicKeyFile}") -m int 1 }
  http-request deny deny_status 401 unless { ${claim('iss')} -m str ${TOKENS.issuer} }
  http-request deny deny_status 401 unless { ${claim('aud')} -m str ${TOKENS.audience} }
  http-request deny deny_status 401 if { var(txn.exp),sub(txn.now) -m int lt 0 }
  http-request deny deny_status 403 unless { ${claim('roles[0]')} -m str ${TOKENS.role} }
  default_backend upstream
backend upstream
  server one 127.0.0.1:${upstreamPort}
`;
}
