import type { Application, Operation } from '../../core/operation.js';
import { READERS } from '../../core/principal.js';
import type { AdapterInstance } from '../../core/snapshot.js';
import { FLAG_VALUES, flagParameterOf } from '../../http/query-parameters.js';
import {
  getAdapterHealth,
  getAdaptersHealth,
  getApplicationHealth,
  getApplicationsHealth,
} from './component-health.js';
import type { HealthDeps } from './deps.js';
import { usageReply, usageSchema } from './usage.js';

const healthStatusSchema = {
  title: 'Health status',
  type: 'object',
  required: ['host', 'serverId', 'serverName', 'services', 'timestamp', 'apps', 'adapters'],
  properties: {
    host: { type: 'string', description: 'Empty without a token' },
    serverId: { type: 'string', description: 'Empty without a token' },
    serverName: { type: ['string', 'null'] },
    services: {
      type: 'array',
      description:
        'store, audit, configuration, certificates; vault, limits and token issuers, if they are in use. Empty without a token',
      items: {
        type: 'object',
        required: ['service', 'status'],
        properties: {
          service: { type: 'string' },
          status: { enum: ['running', 'failed'] },
          reason: { type: 'string', description: 'Reason of the failure; only for administrators' },
        },
      },
    },
    timestamp: { type: 'integer', description: 'Milliseconds since 1970' },
    apps: { enum: ['running', 'degraded'] },
    adapters: {
      enum: ['running', 'degraded'],
      description:
        'degraded: an adapter is dead, starts, or runs with a previous configuration; a stopped adapter does not count',
    },
  },
} as const;

/**
 * Returns the status for load balancers. Requires no token and names no adapter (wire section 6.1). Host,
 * server id and services are only for callers with a valid token; the shape of the reply is always the same.
 */
const getHealthStatus: Operation<HealthDeps> = {
  id: 'getHealthStatus',
  summary: 'Get the status of the server, its services and its adapters.',
  description:
    'Returns whether the services and the adapters of this server work. Without a token, the reply names no host and no service.',
  method: 'GET',
  path: '/health/status',
  aliases: [{ path: '/status', id: 'getStatus' }],
  topics: ['adapters'],
  roles: 'public',
  optionalToken: true,
  query: {
    type: 'object',
    properties: {
      'exclude-services': {
        enum: FLAG_VALUES,
        description: 'With "true", the services are not probed',
      },
    },
  },
  reply: healthStatusSchema,
  polled: true,
  async handle({ query, principal }, { lease, services, now, host, serverId }) {
    const isExcluded = flagParameterOf(query, 'exclude-services');
    const probed = !principal || isExcluded ? [] : services();
    const forAdmin = principal?.roles.includes('admin') === true;
    const states = await Promise.all(
      probed.map(async ({ service, running, reason: reasonOf }) => {
        const isRunning = await running();
        const reason = isRunning || !forAdmin ? undefined : reasonOf?.();
        return { service, status: isRunning ? 'running' : 'failed', ...(reason !== undefined && { reason }) };
      }),
    );
    const areAdaptersHealthy = await lease(({ adapters: all, outdated }) =>
      Promise.resolve(outdated.size === 0 && [...all.values()].every(isHealthy)),
    );
    return {
      body: {
        host: principal ? host : '',
        serverId: principal ? serverId : '',
        serverName: null,
        services: states,
        timestamp: now(),
        apps: 'running',
        adapters: areAdaptersHealthy ? 'running' : 'degraded',
      },
    };
  },
};

/** Returns true if the adapter runs, or if the operator stopped it. */
function isHealthy(instance: AdapterInstance): boolean {
  return ['RUNNING', 'STOPPED'].includes(instance.state().name);
}

const text = { type: 'string' } as const;
const texts = { type: 'object', additionalProperties: text } as const;

const serverHealthSchema = {
  title: 'Health of the server',
  type: 'object',
  required: [
    ...['version', 'release', 'build', 'arch', 'platform', 'versions'],
    ...['memoryUsage', 'cpuUsage', 'uptime', 'pid', 'dependencies'],
  ],
  properties: {
    version: text,
    release: { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+$' },
    build: text,
    arch: text,
    platform: text,
    versions: { ...texts, description: 'Versions of Node.js and of its components' },
    ...usageSchema,
    uptime: { type: 'number', minimum: 0, description: 'Seconds since the server started to serve' },
    dependencies: { ...texts, description: 'Versions of the direct dependencies' },
  },
} as const;

const getServerHealth: Operation<HealthDeps> = {
  id: 'getServerHealth',
  summary: 'Get the versions, the dependencies and the resource usage of the server.',
  description:
    'Returns the versions of gatehouse, Node.js and the dependencies, and the memory and processor time of this process.',
  method: 'GET',
  path: '/health/server',
  topics: ['adapters'],
  roles: READERS,
  reply: serverHealthSchema,
  handle(_call, { product, runtime, usage, now }) {
    const { version, release, dependencies, since } = product;
    const { memoryUsage, cpuUsage, pid } = usageReply(usage());
    return {
      body: {
        // Clients parse the part before the last dot as a number.
        version,
        release: `${release}.0`,
        build: `gatehouse-${version}`,
        ...runtime(),
        memoryUsage,
        cpuUsage,
        uptime: Math.max(0, now() - since) / 1000,
        pid,
        dependencies,
      },
    };
  },
};

const count = { type: 'integer', minimum: 0 } as const;

const cpuSchema = {
  type: 'object',
  required: ['model', 'speed', 'times'],
  properties: {
    model: { type: 'string' },
    speed: { ...count, description: 'MHz' },
    times: {
      type: 'object',
      description: 'Milliseconds',
      required: ['user', 'nice', 'sys', 'idle', 'irq'],
      properties: { user: count, nice: count, sys: count, idle: count, irq: count },
    },
  },
} as const;

const systemHealthSchema = {
  title: 'Health of the machine',
  type: 'object',
  required: ['arch', 'release', 'uptime', 'freemem', 'totalmem', 'loadavg', 'cpus'],
  properties: {
    arch: { type: 'string' },
    release: { type: 'string', description: 'Release of the operating system' },
    uptime: { type: 'number', description: 'Seconds' },
    freemem: { ...count, description: 'Bytes' },
    totalmem: { ...count, description: 'Bytes' },
    loadavg: {
      type: 'array',
      items: { type: 'number' },
      description: 'Load averages of 1, 5 and 15 minutes',
    },
    cpus: { type: 'array', items: cpuSchema },
  },
} as const;

const getSystemHealth: Operation<HealthDeps> = {
  id: 'getSystemHealth',
  summary: "Get the properties and the free resources of the server's machine.",
  description: 'Returns the operating system, the memory, the load and the processors of the machine.',
  method: 'GET',
  path: '/health/system',
  topics: ['adapters'],
  roles: READERS,
  reply: systemHealthSchema,
  handle(_call, { machine }) {
    return { body: machine() };
  },
};

export const health: Application<HealthDeps> = {
  name: 'health',
  summary: 'Health of the server, its applications and its adapters.',
  prefixes: [''],
  operations: [
    getHealthStatus,
    getAdaptersHealth,
    getAdapterHealth,
    getApplicationsHealth,
    getApplicationHealth,
    getServerHealth,
    getSystemHealth,
  ],
};
