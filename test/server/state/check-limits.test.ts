import assert from 'node:assert/strict';
import type { LimitRule } from '../../../src/core/limits.js';
import { checkLimits } from '../../../src/server/state/check-limits.js';
import { limitRule } from '../../support/limits.js';

const OPERATIONS = [
  'orchestrator-manager.restAction',
  'orchestrator-manager.restQuery',
  'platform.getMetrics',
];

function faultsOf(rule: Partial<LimitRule>): readonly string[] {
  return checkLimits({ 'a/b': limitRule(rule) }, OPERATIONS).map(
    ({ pointer, code, message, fix }) => `${pointer} ${code} ${message}. ${fix}`,
  );
}

describe('checkLimits', () => {
  it('accepts exact names and patterns of operations', () => {
    const operations = ['orchestrator-manager.*', 'platform.getMetrics', '*.rest*', 'mcp.exchange'];
    assert.deepEqual(faultsOf({ requests: 1, operations }), []);
  });

  it('reports a limit that limits nothing', () => {
    assert.deepEqual(faultsOf({}), [
      '/limits/a~1b limits limits nothing: it has neither requests nor concurrent. Write requests, for example requests: 100, or concurrent, for example concurrent: 5.',
    ]);
  });

  it('reports a burst without a rate', () => {
    assert.deepEqual(faultsOf({ burst: 3, concurrent: 1 }), [
      '/limits/a~1b/burst limits has no effect without requests. Write requests as well, or remove burst.',
    ]);
  });

  it('reports a limit per role without roles', () => {
    assert.deepEqual(faultsOf({ per: 'role', requests: 1 }), [
      '/limits/a~1b/per limits needs the roles to count. List them, for example roles: [engineering]. Each role has a count of its own.',
    ]);
  });

  it('proposes the operation that is meant', () => {
    const [fault] = faultsOf({ requests: 1, operations: ['platform.getMetrics', 'restQuerry'] });
    assert.match(
      fault ?? '',
      /^\/limits\/a~1b\/operations\/1 limits there is no such operation; did you mean "orchestrator-manager\.restQuery"\?/,
    );
  });

  it('reports a pattern that matches no operation, with the applications', () => {
    const [fault] = faultsOf({ requests: 1, operations: ['orchestrator.*'] });
    assert.match(
      fault ?? '',
      /^\/limits\/a~1b\/operations\/0 limits matches no operation\. .*The applications are orchestrator-manager, platform\.$/,
    );
  });
});
