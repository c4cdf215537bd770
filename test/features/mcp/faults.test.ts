import assert from 'node:assert/strict';
import { mcpFaults } from '../../../src/features/mcp/faults.js';
import { describeOperations } from '../../../src/features/operations.js';
import type { McpSettings } from '../../../src/settings/mcp.js';
import { column } from '../../support/columns.js';

const SETTINGS: McpSettings = {
  ...{ enabled: true, operations: null, adapters: [], actions: 'refused', hosts: [], maxResultBytes: 65_536 },
};
const faultsOf = (settings: Partial<McpSettings>, hasPages = true) =>
  mcpFaults({ ...SETTINGS, ...settings }, describeOperations(), hasPages);

describe('mcpFaults', () => {
  it('has none for tools, and for settings without operations', () => {
    assert.deepEqual(faultsOf({}), []);
    const operations = ['orchestrator-manager.restQuery', 'orchestrator-manager.restAction'];
    assert.deepEqual(faultsOf({ operations, actions: 'allowed' }), []);
  });

  const [query, action] = ['orchestrator-manager.restQuery', 'orchestrator-manager.restAction'];
  const [wrong, refused] = [/Write one of .*restQuery/, /set mcp.actions to task or allowed/];
  const FAULTS = [
    ['a misspelled operation', 'orchestrator-manager.restQueri', `did you mean "${query}"`, wrong],
    ['an operation that is no tool', 'login.login', 'is not a tool', wrong],
    ['an action that is refused', action, 'mcp.actions is refused', refused],
  ] as const; // prettier-ignore
  for (const [what, name, message, fix] of FAULTS)
    it(`finds ${what}`, () => {
      const [fault, ...others] = faultsOf({ operations: [name] });
      assert.deepEqual(others, []);
      assert.equal(fault?.pointer, '/mcp/operations/0');
      assert.ok(fault.message.includes(message), fault.message);
      assert.match(fault.fix, fix);
    });

  it('finds tasks without the pages that show them', () => {
    assert.deepEqual(faultsOf({ actions: 'task' }), []);
    assert.deepEqual(column(faultsOf({ actions: 'task' }, false), 'pointer'), ['/mcp/actions']);
  });
});
