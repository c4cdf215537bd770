import type { Application, Operation } from '../../core/operation.js';
import { READERS } from '../../core/principal.js';
import { Problem } from '../../core/problem.js';

/** State of the secrets in use, as the secret source reports it. */
type VaultState = 'running' | 'degraded' | 'failed';

/** State and refresh of the secrets in use. */
interface PlatformSecrets {
  vaultState(): VaultState;
  /**
   * Reads every secret in use and resolves to 0. During the cooldown, reads nothing and resolves to the
   * milliseconds to wait.
   */
  refreshNow(): Promise<number>;
}

export interface PlatformDeps {
  readonly secrets: PlatformSecrets;
  /** Returns the metrics in the text format of Prometheus. */
  readonly metrics: () => Promise<string>;
  /** True after the server has received a signal to stop. */
  readonly isStopping: () => boolean;
  /** True while calls have been refused for so long that a load balancer should send them elsewhere. */
  readonly isOverloaded: () => boolean;
  /** False while the audit trail stores no record, so that audited calls are refused. */
  readonly isAuditWritable: () => Promise<boolean>;
  /** False while the database has no space, so that changes are refused. */
  readonly hasSpace: () => Promise<boolean>;
  readonly version: string;
}

const vaultSchema = {
  title: 'Vault state',
  enum: ['ok', 'degraded', 'down'],
  description:
    'degraded: Vault does not answer for secrets in use, and the server keeps using their last good values; ' +
    'down: some secrets have expired, or are older than vault.refresh.maxStaleSeconds',
} as const;

const getVersion: Operation<PlatformDeps> = {
  id: 'getVersion',
  summary: 'Get the version of the server as text.',
  description: 'Returns the version of gatehouse. Changes nothing.',
  method: 'GET',
  path: '/version',
  roles: 'authenticated',
  reply: { title: 'Version', type: 'string' },
  replyType: 'text/plain; charset=utf-8',
  handle(_call, { version }) {
    return { body: version };
  },
};

const readinessSchema = {
  title: 'Readiness',
  type: 'object',
  required: ['ready', 'vault'],
  properties: { ready: { const: true }, vault: vaultSchema },
} as const;

/**
 * Returns whether the server is ready for calls, for load balancers. The reply names no adapter and no path
 * (secrets specification section 5.7).
 */
export const getReadiness: Operation<PlatformDeps> = {
  id: 'getReadiness',
  summary: 'Get the readiness of the server.',
  description:
    'Returns whether a load balancer may send calls to this server. The server is not ready while it stops, is overloaded, has no usable secrets, cannot write audit records or has a full database.',
  problems: ['not_ready'],
  method: 'GET',
  path: '/readyz',
  roles: 'public',
  reply: readinessSchema,
  polled: true,
  async handle(_call, { secrets, isStopping, isOverloaded, isAuditWritable, hasSpace }) {
    if (isStopping())
      throw new Problem('not_ready', 'stopping: the server ends soon; send new calls to another server');
    if (isOverloaded())
      throw new Problem(
        'not_ready',
        'overload: calls have been refused for longer than server.overload.unreadySeconds',
      );
    const vault = vaultStatusOf(secrets.vaultState());
    if (vault === 'down')
      throw new Problem('not_ready', 'vault: down: secrets in use have expired, or are older than allowed');
    if (!(await isAuditWritable()))
      throw new Problem('not_ready', 'audit: the audit trail cannot store records, so calls are refused');
    if (!(await hasSpace()))
      throw new Problem('not_ready', 'store: the database is full, so changes are refused');
    return { body: { ready: true, vault } };
  },
};

/**
 * Returns that the process serves requests, for the liveness probe of a container. Unlike the readiness, it depends on
 * nothing else: a restart would not bring Vault or the database back.
 */
const getLiveness: Operation<PlatformDeps> = {
  id: 'getLiveness',
  summary: 'Get the liveness of the server.',
  description:
    'Returns that the process answers requests. Depends on nothing else, so that a container is not restarted for a fault elsewhere.',
  method: 'GET',
  path: '/livez',
  roles: 'public',
  reply: { title: 'Liveness', type: 'object', required: ['live'], properties: { live: { const: true } } },
  polled: true,
  handle: () => ({ body: { live: true } }),
};

/** Converts the state of Vault to the value that the probes report. */
function vaultStatusOf(state: VaultState): 'ok' | 'degraded' | 'down' {
  return ({ running: 'ok', degraded: 'degraded', failed: 'down' } as const)[state];
}

/**
 * Returns the metrics for Prometheus. The configuration key `roles` can admit a separate role for the scraper
 * (secrets specification section 5.7).
 */
const getMetrics: Operation<PlatformDeps> = {
  id: 'getMetrics',
  summary: 'Get the metrics of this server in the text format of Prometheus.',
  description: 'Returns the metrics of all processes of this server, added up, for a Prometheus server.',
  method: 'GET',
  path: '/metrics',
  roles: READERS,
  reply: { title: 'Metrics', type: 'string' },
  replyType: 'text/plain; version=0.0.4; charset=utf-8',
  polled: true,
  async handle(_call, { metrics }) {
    return { body: await metrics() };
  },
};

const refreshedSecretsSchema = {
  title: 'Refreshed secrets',
  type: 'object',
  required: ['vault'],
  properties: { vault: vaultSchema },
} as const;

const refreshSecrets: Operation<PlatformDeps> = {
  id: 'refreshSecrets',
  summary: 'Refresh every secret in use from Vault; adapters apply changed secrets.',
  description:
    'Reads every secret in use from Vault again, before its scheduled refresh. Adapters with a changed secret are replaced.',
  problems: ['too_many_requests'],
  method: 'POST',
  path: '/admin/vault/refresh',
  roles: ['admin'],
  reply: refreshedSecretsSchema,
  audited: true,
  async handle(_call, { secrets }) {
    const waitMs = await secrets.refreshNow();
    if (waitMs > 0) {
      const seconds = Math.ceil(waitMs / 1000);
      throw new Problem(
        'too_many_requests',
        `the server refreshed the secrets recently; retry in ${seconds} s`,
        {
          headers: { 'retry-after': String(seconds) },
        },
      );
    }
    return { body: { vault: vaultStatusOf(secrets.vaultState()) } };
  },
};

export const platform: Application<PlatformDeps> = {
  name: 'platform',
  summary: 'The core of the platform: version, readiness, metrics, secrets.',
  prefixes: [''],
  operations: [getVersion, getReadiness, getLiveness, getMetrics, refreshSecrets],
};
