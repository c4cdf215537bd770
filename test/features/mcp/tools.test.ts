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

const READS = { changes: false, callsOrchestrators: false, narrow: '' };
const CHANGES = { ...READS, changes: true };
const ADDRESSED = {
  ...CHANGES,
  addressedCall: () => ({
    adapterId: 'core1',
    operation: 'orchestrator-manager.restAction' as const,
    method: 'POST',
    path: '/',
  }),
};

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
      assert.deepEqual(
        Object.values(hints).map((hint) => typeof hint),
        ['boolean', 'boolean', 'boolean', 'boolean'],
      );
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
    const query = hintsOf('restQuery');
    assert.deepEqual([query.readOnlyHint, query.destructiveHint, query.openWorldHint], [true, false, true]);
    const action = hintsOf('restAction');
    assert.deepEqual(
      [action.readOnlyHint, action.destructiveHint, action.idempotentHint],
      [false, true, false],
    );
  });
});

describe('isOffered', () => {
  const offered = (row: Partial<OperationRow>, settings: Parameters<typeof isOffered>[1]) =>
    isOffered(operation('one', row), settings);

  it('offers every tool that only reads, unless the settings name operations', () => {
    assert.equal(offered({}, { operations: null, actions: 'refused' }), true);
    assert.equal(offered({}, { operations: ['app.other'], actions: 'refused' }), false);
    assert.equal(offered({}, { operations: ['app.one'], actions: 'refused' }), true);
  });

  it('offers a change only if it is named and actions are allowed', () => {
    const tool = CHANGES;
    assert.equal(offered({ tool }, { operations: null, actions: 'allowed' }), false);
    assert.equal(offered({ tool }, { operations: ['app.one'], actions: 'refused' }), false);
    assert.equal(offered({ tool }, { operations: ['app.one'], actions: 'allowed' }), true);
  });

  it('never offers an operation without the flag', () => {
    const row: OperationRow = { ...operation('one').row };
    delete (row as { tool?: unknown }).tool;
    const settings = { operations: ['app.one'], actions: 'allowed' } as const;
    assert.equal(isOffered({ ...operation('one'), row }, settings), false);
  });
});

describe('createTools', () => {
  const all = { operations: null, actions: 'refused' } as const;

  it('replaces the characters that a name cannot have', () => {
    assert.deepEqual([...createTools([operation('a b/c')], all).keys()], ['a_b_c']);
  });

  it('throws for two operations with the same name', () => {
    assert.throws(
      () => createTools([operation('a b'), operation('a_b')], all),
      /two operations are the tool a_b/,
    );
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
    assert.deepEqual(Object.keys(tool.description.inputSchema['properties'] as object), [
      'name',
      'x',
      'approval',
    ]);
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
  const tool = createTools([operation('one', { body, query })], { operations: null, actions: 'refused' }).get(
    'one',
  );
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
