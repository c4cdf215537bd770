import type { Operation } from '../../core/operation.js';
import type { PlatformDeps } from './deps.js';

/** Returns only the version, as plain text (wire section 1.5). */
export const getVersion: Operation<PlatformDeps> = {
  id: 'getVersion',
  summary: 'Get the version of the server as text.',
  method: 'GET',
  path: '/version',
  roles: 'authenticated',
  reply: { title: 'Version', type: 'string' },
  replyType: 'text/plain; charset=utf-8',
  handle(_call, { version }) {
    return { body: version };
  },
};
