import assert from 'node:assert/strict';
import type { BoundOperation, OperationRow } from '../../../src/core/operation.js';
import {
  createTools,
  describeTool,
  isOffered,
  pathOf,
  readArguments,
} from '../../../src/features/mcp/tools.js';
import { describeOperations } from '../../../src/features/operations.js';
import { compileSchema } from '../../../src/json-schema/compile.js';
import { assertMembers } from '../../support/members.js';

const READS = { changes: false, callsOrchestrators: false, narrow: '' };
const CHANGES = { ...READS, changes: true };
const restAction = 'orchestrator-manager.restAction';
const addressed = { operation: restAction, adapterId: 'core1', method: 'POST', path: '/' } as const;
const ADDRESSED = { ...CHANGES, addressedCall: () => addressed };

function operation(id: string, row: Partial<OperationRow> = {}): BoundOperation {
  const path = row.path ?? `/${id}/:name`;
  return {
    name: `app.${id}`,
    paths: [path],
    row: { id, summary: `Do ${id}.`, method: 'POST', path, roles: ['admin'], reply: {}, tool: READS, ...row },
    applicationSummary: '',
    handle: () => ({ body: null }),
    target: () => '',
  };
}

describe('the tools of agents', () => {
  const tools = describeOperations().filter(({ row }) => row.tool);

  it('have valid names, schemas that compile, and all four hints', () => {
    assert.ok(tools.length >= 4);
    for (const { row, ...rest } of tools) {
      const { name, inputSchema, annotations } = describeTool({ ...rest, row }, row.tool ?? READS);
      assert.match(name, /^[A-Za-z0-9_.-]{1,128}$/);
      compileSchema(inputSchema);
      const { title, ...hints } = annotations;
      assert.ok(title.length > 5);
      const types = Object.values(hints).map((hint) => typeof hint);
      assert.deepEqual(types, ['boolean', 'boolean', 'boolean', 'boolean']);
    }
  });

  it('have each a name of its own', () => {
    const bound = tools.map((tool) => ({ ...operation(''), ...tool }));
    const names = bound.map(({ name }) => name);
    assert.equal(createTools(bound, { operations: names, actions: 'allowed' }).size, tools.length);
  });

  it('say that restQuery only reads, and that restAction may destroy data', () => {
    const hintsOf = (id: string) => {
      const found = tools.find(({ row }) => row.id === id);
      assert.ok(found);
      return describeTool(found, found.row.tool ?? READS).annotations;
    };
    assertMembers(hintsOf('restQuery'), { readOnlyHint: true, destructiveHint: false, openWorldHint: true });
    assertMembers(hintsOf('restAction'), {
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
    });
  });
});

describe('isOffered', () => {
  const [named, other] = [['app.one'], ['app.other']];
  const OFFERED = [
    ['every tool that only reads, unless the settings name operations', READS, null, 'refused', true],
    ['no tool that the settings do not name', READS, other, 'refused', false],
    ['a tool that the settings name', READS, named, 'refused', true],
    ['no change that is not named', CHANGES, null, 'allowed', false],
    ['no change while actions are refused', CHANGES, named, 'refused', false],
    ['a change that is named, if actions are allowed', CHANGES, named, 'allowed', true],
    ['no operation without the flag', undefined, named, 'allowed', false],
  ] as const; // prettier-ignore
  for (const [what, tool, operations, actions, expected] of OFFERED)
    it(`offers ${what}`, () => {
      const one = operation('one');
      const row = { ...one.row, tool } as OperationRow;
      assert.equal(isOffered({ ...one, row }, { operations, actions }), expected);
    });
});

describe('createTools', () => {
  const all = { operations: null, actions: 'refused' } as const;

  it('replaces the characters that a name cannot have', () => {
    assert.deepEqual([...createTools([operation('a b/c')], all).keys()], ['a_b_c']);
  });

  it('throws for two operations with the same name', () => {
    const twins = [operation('a b'), operation('a_b')];
    assert.throws(() => createTools(twins, all), /two operations are the tool a_b/);
  });

  it('throws for two arguments with the same name', () => {
    const body = { type: 'object', properties: { name: {} } };
    assert.throws(() => createTools([operation('one', { body })], all), /two arguments name/);
  });
});

describe('a tool whose calls a person approves', () => {
  const settings = { operations: ['app.one'], actions: 'task' } as const;
  const body = { type: 'object', properties: { x: {} } };

  it('has one more argument, which is no part of the request', () => {
    const tool = createTools([operation('one', { body, tool: ADDRESSED })], settings).get('one');
    assert.ok(tool?.isApproved);
    const names = Object.keys(tool.description.inputSchema['properties'] as object);
    assert.deepEqual(names, ['name', 'x', 'approval']);
    assert.deepEqual(readArguments(tool, { name: 'a', x: 1, approval: 'b' }).body, { x: 1 });
  });

  it('throws for an operation whose calls cannot be decided by access rules', () => {
    const other = operation('one', { body, tool: CHANGES });
    assert.throws(() => createTools([other], settings), /no call that a person could approve/);
  });

  it('does not need approval if it only reads', () => {
    assert.equal(createTools([operation('one', { body })], settings).get('one')?.isApproved, false);
  });

  it('throws for an operation with an argument of the same name', () => {
    const other = operation('one', { body: { type: 'object', properties: { approval: {} } }, tool: CHANGES });
    assert.throws(() => createTools([other], settings), /has an argument approval/);
  });
});

describe('readArguments', () => {
  const body = { type: 'object', required: ['params'], properties: { params: {}, body: {} } };
  const query = { type: 'object', properties: { limit: {}, equals: {} } };
  const settings = { operations: null, actions: 'refused' } as const;
  const tool = createTools([operation('one', { body, query })], settings).get('one');
  assert.ok(tool);

  it('divides the arguments into path, query and body', () => {
    const sent = { name: 'nso1', limit: 3, params: { path: '/a' }, body: { x: 1 } };
    const input = readArguments(tool, sent);
    assert.deepEqual(input.params, { name: 'nso1' });
    assert.equal(input.query.toString(), 'limit=3');
    assert.deepEqual(input.body, { params: { path: '/a' }, body: { x: 1 } });
  });

  it('keeps members with names of Object.prototype out of the prototype', () => {
    const sent = JSON.parse('{"name":"a","__proto__":{"x":1}}') as Record<string, unknown>;
    const { body: read } = readArguments(tool, sent);
    assert.ok(read && Object.hasOwn(read, '__proto__'));
    assert.equal(read['x'], undefined);
  });

  it('encodes path parameters in the path, also invalid ones', () => {
    assert.equal(pathOf(tool, { params: { name: '../x y' } }), '/one/..%2Fx%20y');
    assert.equal(pathOf(tool, { params: { name: '\ud800' } }), '/one/%EF%BF%BD');
    assert.equal(pathOf(tool, { params: {} }), '/one/');
  });
});
