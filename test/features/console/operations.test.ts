import assert from 'node:assert/strict';
import type { LogLevel } from '../../../src/core/log.js';
import type { ConsoleDeps } from '../../../src/features/console/deps.js';
import { getLogLines } from '../../../src/features/console/operations.js';
import { operationCall } from '../../support/operation-call.js';

/** Returns the level that is searched for a caller with these roles, and the hint of the reply. */
async function readLog(roles: readonly string[], level: LogLevel) {
  const searched: LogLevel[] = [];
  const lines = (query: { readonly level: LogLevel }) => {
    searched.push(query.level);
    return { lines: [], latest: 0, missed: false };
  };
  const deps = { monitoring: { lines, writtenLevel: () => 'spam' } } as unknown as ConsoleDeps;
  const principal = { subject: 'ada', issuer: 'test', roles, expiresAt: 0 };
  const query = new URLSearchParams({ level });
  const reply = await getLogLines.handle(operationCall({ body: undefined, query, principal }), deps);
  return { searched: searched[0], hint: (reply.body as { readonly hint: string | null }).hint };
}

describe('getLogLines for a viewer', () => {
  it('returns no lines below info, which may contain bodies of calls, and says so', async () => {
    for (const level of ['debug', 'trace', 'spam'] as const) {
      const { searched, hint } = await readLog(['viewer'], level);
      assert.equal(searched, 'info');
      assert.match(hint ?? '', new RegExp(`level ${level} can contain bodies .* need the role admin`));
    }
  });

  it('returns the lines from info up', async () => {
    for (const level of ['error', 'warn', 'info'] as const)
      assert.deepEqual(await readLog(['viewer', 'engineering'], level), { searched: level, hint: null });
  });

  it('returns all lines to admins, and to roles that the configuration names', async () => {
    for (const roles of [['admin'], ['admin', 'viewer'], ['operator']])
      assert.deepEqual(await readLog(roles, 'spam'), { searched: 'spam', hint: null });
  });
});
