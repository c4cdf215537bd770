import type { Operation } from '../../core/operation.js';
import type { ConsoleDeps } from './deps.js';

/**
 * Streams changes and traffic as server-sent events (HTML standard, section 9.2). The stream ends when its
 * token expires or any token is revoked.
 */
export const getEvents: Operation<ConsoleDeps> = {
  id: 'getEvents',
  summary: 'Stream changes and traffic as server-sent events.',
  method: 'GET',
  path: '/events',
  roles: ['admin'],
  reply: {
    title: 'Events',
    type: 'string',
    description:
      '`change`: {"topics": [...]}, of adapters, profiles, forms, tasks, secrets and deprecations; ' +
      '`traffic`, every two seconds: rates of the last five minutes, and of each adapter in `adapters`',
  },
  replyType: 'text/event-stream',
  replyHeaders: { 'x-accel-buffering': '`no`: proxies are to pass each event on at once' },
  handle({ principal, signal }, { monitoring }) {
    const until = (principal?.expiresAt ?? 0) * 1000;
    return {
      body: { livePieces: monitoring.listen({ until, signal }) },
      headers: { 'x-accel-buffering': 'no' },
    };
  },
};
