import type { Operation } from '../../core/operation.js';
import type { HealthDeps } from './deps.js';
import { usageReply, usageSchema } from './usage.js';

const text = { type: 'string' } as const;
const texts = { type: 'object', additionalProperties: text } as const;

const replySchema = {
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
    versions: { ...texts, description: 'Versions of Node.js and of what it is made of' },
    ...usageSchema,
    uptime: { type: 'number', minimum: 0, description: 'Seconds since it began to serve' },
    dependencies: { ...texts, description: 'Versions of the packages that the product names' },
  },
} as const;

/** Returns the versions and the resource usage of this server (wire section 6.4). */
export const getServerHealth: Operation<HealthDeps> = {
  id: 'getServerHealth',
  summary: 'Get the versions, the dependencies and the resource usage of the server.',
  method: 'GET',
  path: '/health/server',
  roles: ['admin'],
  reply: replySchema,
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
