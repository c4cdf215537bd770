import assert from 'node:assert/strict';
import { mcpFaults } from '../../../src/features/mcp/faults.js';
import { describeOperations } from '../../../src/features/operations.js';
import type { McpSettings } from '../../../src/settings/mcp.js';
import { column } from '../../support/columns.js';

const SETTINGS: McpSettings = {
  enabled: true,
  operations: null,
  adapters: [],
  actions: 'refused',
  hosts: [],
  maxResultBytes: 65_536,
};

describe('mcpFaults', () => {
  it('has none for tools, and for settings without operations', () => {
    assert.deepEqual(mcpFaults(SETTINGS, describeOperations(), true), []);
    const operations = ['orchestrator-manager.restQuery', 'orchestrator-manager.restAction'];
    assert.deepEqual(
      mcpFaults({ ...SETTINGS, operations, actions: 'allowed' }, describeOperations(), true),
      [],
    );
  });

  for (const [what, name, message, fix] of [
    [
      'a misspelled operation',
      'orchestrator-manager.restQueri',
      /did you mean "orchestrator-manager.restQuery"/,
      /Write one of /,
    ],
    ['an operation that is no tool', 'login.login', /is not a tool/, /Write one of .*restQuery/],
    [
      'an action that is refused',
      'orchestrator-manager.restAction',
      /mcp.actions is refused/,
      /set mcp.actions to task or allowed/,
    ],
  ] as const)
    it(`finds ${what}`, () => {
      const [fault, ...others] = mcpFaults({ ...SETTINGS, operations: [name] }, describeOperations(), true);
      assert.deepEqual(others, []);
      assert.equal(fault?.pointer, '/mcp/operations/0');
      assert.match(fault.message, message);
      assert.match(fault.fix, fix);
    });

  it('finds tasks without the pages that show them', () => {
    const settings: McpSettings = { ...SETTINGS, actions: 'task' };
    assert.deepEqual(mcpFaults(settings, describeOperations(), true), []);
    assert.deepEqual(column(mcpFaults(settings, describeOperations(), false), 'pointer'), ['/mcp/actions']);
  });
});
