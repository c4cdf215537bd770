import type { Operation } from '../../core/operation.js';
import type { PlatformDeps } from './deps.js';

/** What Prometheus scrapes; a token with a role of its own is given by the key `roles` (secrets specification section 5.7). */
export const getMetrics: Operation<PlatformDeps> = {
  id: 'getMetrics',
  summary: 'Tell the measurements of this process in the text format of Prometheus.',
  method: 'GET',
  path: '/metrics',
  roles: ['admin'],
  reply: { title: 'Metrics', type: 'string' },
  replyType: 'text/plain; version=0.0.4; charset=utf-8',
  async handle(_call, { metrics }) {
    return { body: await metrics() };
  },
};
