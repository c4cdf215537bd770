import type { Operation } from '../../core/operation.js';
import { Problem } from '../../core/problem.js';
import { connectionState } from '../lib/observed-schemas.js';
import { objectOf, textOrNull } from '../lib/reply-schemas.js';
import type { ConsoleDeps } from './deps.js';
import type { AdapterTest } from './monitoring.js';

export const testAdapter: Operation<ConsoleDeps> = {
  id: 'testAdapter',
  summary: 'Test now whether the orchestrator of an adapter is reachable.',
  description:
    'Probes the orchestrator as the periodic probe does: requests the health path, or opens a connection if the adapter has no health path. ' +
    'The result updates the connection of the adapter. An adapter is tested at most once every two seconds.',
  problems: ['adapter_not_found', 'adapter_unavailable', 'too_many_requests'],
  method: 'POST',
  path: '/adapters/:name/test',
  roles: ['admin'],
  reply: {
    title: 'Result of the connection test',
    ...objectOf({
      ok: { type: 'boolean', description: 'True if the orchestrator is reachable and has refused no login' },
      connection: connectionState,
      cause: { ...textOrNull, description: 'Why the orchestrator cannot be used; null if it can' },
      fix: { ...textOrNull, description: 'What to do next; null if unknown' },
    }),
  },
  audited: true,
  async handle({ params: { name = '' } }, { monitoring }) {
    const result = await monitoring.testAdapter(name);
    if ('untried' in result) throw refusalOf(name, result);
    const { ok, connection } = result;
    if (ok) return { body: { ok, connection, cause: null, fix: null }, outcome: 'ok' };
    const { cause, fix } = result;
    const outcome = connection === 'LOGIN_REFUSED' ? 'login refused' : 'not reachable';
    return { body: { ok, connection, cause, fix }, outcome };
  },
};

function refusalOf(name: string, result: Extract<AdapterTest, { untried: string }>): Problem {
  if (result.untried === 'too soon') {
    const seconds = Math.ceil(result.waitMs / 1000);
    return new Problem(
      'too_many_requests',
      `the adapter "${name}" was tested a moment ago; try again in ${seconds} s`,
      { headers: { 'retry-after': String(seconds) } },
    );
  }
  if (result.untried === 'unknown') return new Problem('adapter_not_found', `there is no adapter "${name}"`);
  return new Problem(
    'adapter_unavailable',
    result.untried === 'no probe'
      ? `the adapter "${name}" has nothing to test: its checks are off, or its plugin reports no connection`
      : `the adapter "${name}" is not running`,
  );
}
