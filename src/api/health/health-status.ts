import type { Operation } from '../../core/operation.js';
import type { AdapterInstance } from '../../core/snapshot.js';
import type { HealthDeps } from './deps.js';

const replySchema = {
  title: 'Health status',
  type: 'object',
  required: ['host', 'serverId', 'serverName', 'services', 'timestamp', 'apps', 'adapters'],
  properties: {
    host: { type: 'string' },
    serverId: { type: 'string' },
    serverName: { type: ['string', 'null'] },
    services: {
      type: 'array',
      items: {
        type: 'object',
        required: ['service', 'status'],
        properties: { service: { type: 'string' }, status: { enum: ['running', 'failed'] } },
      },
    },
    timestamp: { type: 'integer', description: 'Milliseconds since 1970' },
    apps: { enum: ['running', 'degraded'] },
    adapters: { enum: ['running', 'degraded'] },
  },
} as const;

/** Reports the status to load balancers; requires no token and names no adapters (wire 6.1). */
export const getHealthStatus: Operation<HealthDeps> = {
  id: 'getHealthStatus',
  summary: 'Get the status of the server, its services and its adapters.',
  method: 'GET',
  path: '/health/status',
  aliases: ['/status'],
  roles: 'public',
  query: {
    type: 'object',
    properties: {
      'exclude-services': { enum: ['true', 'false'], description: 'With "true", no service is asked' },
    },
  },
  reply: replySchema,
  async handle({ query }, { lease, services, now, host, serverId }) {
    const probed = query.get('exclude-services') === 'true' ? [] : services;
    const states = await Promise.all(
      probed.map(async ({ service, running }) => ({
        service,
        status: (await running()) ? 'running' : 'failed',
      })),
    );
    const adapters = await lease(({ adapters: all, outdated }) =>
      Promise.resolve(outdated.size === 0 && [...all.values()].every(works)),
    );
    return {
      body: {
        host,
        serverId,
        serverName: null,
        services: states,
        timestamp: now(),
        apps: 'running',
        adapters: adapters ? 'running' : 'degraded',
      },
    };
  },
};

/** Returns true unless the adapter fails; an adapter that the operator stopped is not a failure. */
function works(instance: AdapterInstance): boolean {
  return ['RUNNING', 'STOPPED'].includes(instance.state().name);
}
