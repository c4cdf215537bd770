import type { Operation } from '../../core/operation.js';
import type { HealthDeps } from './deps.js';

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

const replySchema = {
  title: 'Health of the machine',
  type: 'object',
  required: ['arch', 'release', 'uptime', 'freemem', 'totalmem', 'loadavg', 'cpus'],
  properties: {
    arch: { type: 'string' },
    release: { type: 'string', description: 'Of the operating system' },
    uptime: { type: 'number', description: 'Seconds' },
    freemem: { ...count, description: 'Bytes' },
    totalmem: { ...count, description: 'Bytes' },
    loadavg: { type: 'array', items: { type: 'number' }, description: 'Of 1, 5 and 15 minutes' },
    cpus: { type: 'array', items: cpuSchema },
  },
} as const;

/** Returns the properties and the free resources of the machine (wire section 6.5). */
export const getSystemHealth: Operation<HealthDeps> = {
  id: 'getSystemHealth',
  summary: "Get the properties and the free resources of the server's machine.",
  method: 'GET',
  path: '/health/system',
  roles: ['admin'],
  reply: replySchema,
  handle(_call, { machine }) {
    return { body: machine() };
  },
};
