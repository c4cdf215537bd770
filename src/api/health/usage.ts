import type { ProcessUsage } from './deps.js';

/** Maximum reported memory: clients written in Go store it in 32 bits and fail on larger numbers. */
const LARGEST = 2 ** 31 - 1;

const bytes = { type: 'integer', minimum: 0, maximum: LARGEST } as const;
const microseconds = { type: 'integer', minimum: 0 } as const;

/** Schema of the resource usage of the process. */
export const usageSchema = {
  memoryUsage: {
    type: 'object',
    description: `Bytes, of the whole process; what is larger is told as ${LARGEST}`,
    required: ['rss', 'heapTotal', 'heapUsed', 'external', 'arrayBuffers'],
    properties: { rss: bytes, heapTotal: bytes, heapUsed: bytes, external: bytes, arrayBuffers: bytes },
  },
  cpuUsage: {
    type: 'object',
    description: 'Microseconds of processor time, of the whole process',
    required: ['user', 'system'],
    properties: { user: microseconds, system: microseconds },
  },
  pid: { type: 'integer' },
} as const;

/** Converts the usage to {@link usageSchema}: whole numbers, with memory limited to 32 bits. */
export function usageReply({ memoryUsage, cpuUsage, pid }: ProcessUsage): ProcessUsage {
  const fit = (value: number): number => Math.min(Math.round(value), LARGEST);
  const { rss, heapTotal, heapUsed, external, arrayBuffers } = memoryUsage;
  return {
    memoryUsage: {
      rss: fit(rss),
      heapTotal: fit(heapTotal),
      heapUsed: fit(heapUsed),
      external: fit(external),
      arrayBuffers: fit(arrayBuffers),
    },
    cpuUsage: { user: Math.round(cpuUsage.user), system: Math.round(cpuUsage.system) },
    pid,
  };
}
