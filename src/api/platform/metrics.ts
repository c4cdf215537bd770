import type { Operation } from '../../core/operation.js';
import type { PlatformDeps } from './deps.js';

/**
 * Returns the metrics for Prometheus. The configuration key `roles` can admit a separate role for the scraper
 * (secrets specification section 5.7).
 */
export const getMetrics: Operation<PlatformDeps> = {
  id: 'getMetrics',
  summary: 'Get the metrics of this process in the text format of Prometheus.',
  method: 'GET',
  path: '/metrics',
  roles: ['admin'],
  reply: { title: 'Metrics', type: 'string' },
  replyType: 'text/plain; version=0.0.4; charset=utf-8',
  async handle(_call, { metrics }) {
    return { body: await metrics() };
  },
};
