import { cpSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { freePort } from '../../../test/support/free-port.js';
import { type Contender, TOKENS } from '../contender.js';
import { forwardingEndpoint } from '../endpoint.js';
import { install, type Peer, programOf } from '../peers.js';
import { CPU, launch } from '../program.js';

const PEER: Peer = { program: 'express-gateway.cjs', packages: ['express-gateway@1.16.11'] };

/** Models of users and credentials, which Express Gateway requires in every configuration. */
const MODELS = join(dirname(programOf(PEER)), 'node_modules/express-gateway/lib/config/models');

/** Express Gateway with its policies for tokens and forwarding. It has no policy for roles. */
export const expressGateway: Contender = {
  name: 'express-gateway',
  says: 'token; no role, no translation',
  endpoint: forwardingEndpoint,
  checksRoles: false,
  lack: () => install(PEER),
  async start({ folder, port, upstreamPort, publicKeyFile }) {
    const config = join(folder, 'config');
    cpSync(MODELS, join(config, 'models'), { recursive: true });
    writeFileSync(join(config, 'system.config.yml'), SYSTEM);
    const parts = { port, upstreamPort, publicKeyFile, adminPort: await freePort() };
    writeFileSync(join(config, 'gateway.config.yml'), gatewayFile(parts));
    return launch({
      command: process.execPath,
      args: [programOf(PEER), config],
      env: { EG_DISABLE_CONFIG_WATCH: 'true', LOG_LEVEL: 'warn', NODE_ENV: 'production' },
      cpu: CPU.contender,
      port,
      log: join(folder, 'output.log'),
    });
  },
};

const SYSTEM = `db: { redis: { emulate: true, namespace: EG } }
plugins: {}
crypto: { cipherKey: sensitiveKey, algorithm: aes256, saltRounds: 10 }
session: { secret: keyboard cat, resave: false, saveUninitialized: false }
accessTokens: { timeToExpiry: 7200000 }
refreshTokens: { timeToExpiry: 7200000 }
authorizationCodes: { timeToExpiry: 300000 }
`;

interface Parts {
  readonly port: number;
  readonly adminPort: number;
  readonly upstreamPort: number;
  readonly publicKeyFile: string;
}

function gatewayFile({ port, adminPort, upstreamPort, publicKeyFile }: Parts): string {
  return `http: { port: ${port}, host: 127.0.0.1 }
admin: { port: ${adminPort}, host: 127.0.0.1 }
apiEndpoints: { api: { host: '*' } }
serviceEndpoints: { upstream: { url: 'http://127.0.0.1:${upstreamPort}' } }
policies: [jwt, proxy]
pipelines:
  default:
    apiEndpoints: [api]
    policies:
      - jwt:
          - action:
              secretOrPublicKeyFile: ${publicKeyFile}
              checkCredentialExistence: false
              issuer: ${TOKENS.issuer}
              audience: ${TOKENS.audience}
              algorithms: [RS256]
      - proxy:
          - action: { serviceEndpoint: upstream, changeOrigin: true }
`;
}
