import type { ProcessUsage } from './deps.js';

/** Maximum reported memory, in bytes. Clients in Go store it in 32 bits and fail on larger numbers. */
const MAX_REPORTED_BYTES = 2 ** 31 - 1;

const bytes = { type: 'integer', minimum: 0, maximum: MAX_REPORTED_BYTES } as const;
const microseconds = { type: 'integer', minimum: 0 } as const;

/** Schema of the resource usage of the process. */
export const usageSchema = {
  memoryUsage: {
    title: 'Memory usage',
    type: 'object',
    description: `Bytes, of the process; larger values are reported as ${MAX_REPORTED_BYTES}`,
    required: ['rss', 'heapTotal', 'heapUsed', 'external', 'arrayBuffers'],
    properties: { rss: bytes, heapTotal: bytes, heapUsed: bytes, external: bytes, arrayBuffers: bytes },
  },
  cpuUsage: {
    title: 'CPU usage',
    type: 'object',
    description: 'Microseconds of processor time, of the process',
    required: ['user', 'system'],
    properties: { user: microseconds, system: microseconds },
  },
  pid: { type: 'integer' },
} as const;

/** Converts the usage to {@link usageSchema}: whole numbers, with memory limited to 32 bits. */
export function usageReply({ memoryUsage, cpuUsage, pid }: ProcessUsage): ProcessUsage {
  const limited = (value: number): number => Math.min(Math.round(value), MAX_REPORTED_BYTES);
  const { rss, heapTotal, heapUsed, external, arrayBuffers } = memoryUsage;
  return {
    memoryUsage: {
      rss: limited(rss),
      heapTotal: limited(heapTotal),
      heapUsed: limited(heapUsed),
      external: limited(external),
      arrayBuffers: limited(arrayBuffers),
    },
    cpuUsage: { user: Math.round(cpuUsage.user), system: Math.round(cpuUsage.system) },
    pid,
  };
}
