import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  type AdapterCall,
  checkAccess,
  decideAccess,
  decideAdapterCall,
  mayUseAdapter,
} from '../../src/core/access-decision.js';
import { explainAccess } from '../../src/core/access-explanation.js';
import { adapterPolicy, CALL_OPERATIONS, type GlobalAccessRule } from '../../src/core/access-policy.js';
import type { AccessRule } from '../../src/core/access.js';
import { admits, type AllowedRoles } from '../../src/core/principal.js';
import { Problem } from '../../src/core/problem.js';
import { policyWith } from '../support/policy-with.js';

const CALL = {
  operation: 'orchestrator-manager.restQuery',
  method: 'GET',
  path: '/restconf/data/x?depth=1',
} as const;

const resultOf = (
  access: readonly AccessRule[],
  rules: readonly GlobalAccessRule[],
  { call = CALL, roles = ['engineering'] }: { call?: AdapterCall; roles?: readonly string[] } = {},
) => decideAdapterCall(policyWith(access, rules), call, roles).result;

describe('decideAdapterCall', () => {
  it('allows every call without rules', () => {
    assert.equal(resultOf([], []), 'allowed');
    assert.equal(resultOf([], [{ adapters: ['other*'], roles: ['admin'] }]), 'allowed');
  });

  it('follows each rule', () => {
    for (const [title, rule, expected] of [
      ['a rule without members', {}, 'allowed'],
      ['one of the roles', { roles: ['admin', 'engineering'] }, 'allowed'],
      ['another role', { roles: ['admin'] }, 'denied'],
      ['the method', { methods: ['GET'] }, 'allowed'],
      ['another method', { methods: ['POST'] }, 'denied'],
      ['the path', { paths: ['/other', '/restconf/data/**'] }, 'allowed'],
      ['another path', { paths: ['/restconf/data'] }, 'denied'],
      [
        'role and method, but another path',
        { roles: ['engineering'], methods: ['GET'], paths: ['/x'] },
        'denied',
      ],
    ] as readonly (readonly [string, AccessRule, string])[]) {
      assert.equal(resultOf([rule], []), expected, title);
      assert.equal(resultOf([], [rule]), expected, title);
    }
  });

  it('requires one rule that admits the call by all of its members', () => {
    const split = [
      { roles: ['engineering'], methods: ['POST'] },
      { roles: ['admin'], methods: ['GET'] },
    ];
    assert.equal(resultOf(split, []), 'denied');
    assert.equal(resultOf([{ roles: ['admin'] }, { methods: ['GET'] }], []), 'allowed');
  });

  it('requires a rule of the main configuration and a rule of the adapter', () => {
    const [admits, refuses] = [[{ roles: ['engineering'] }], [{ roles: ['admin'] }]];
    assert.equal(resultOf(admits, admits), 'allowed');
    assert.equal(resultOf(admits, refuses), 'denied');
    assert.equal(resultOf(refuses, admits), 'denied');
  });

  it('checks the operation', () => {
    const rules = [{ operations: ['orchestrator-manager.restQuery'] }];
    assert.equal(resultOf([], rules), 'allowed');
    assert.equal(resultOf([], rules, { call: { ...CALL, operation: 'proxy.passThrough' } }), 'denied');
  });

  it('selects adapters by name and tag, which both must match', () => {
    const adapter = { adapterId: 'nso1', tags: ['site:berlin', 'lab'], access: [] };
    const isSelected = (rule: GlobalAccessRule) => adapterPolicy(adapter, [rule]).global.length === 1;
    assert.ok(isSelected({ roles: ['a'] }));
    assert.ok(isSelected({ adapters: ['x', 'nso*'] }));
    assert.ok(isSelected({ tags: ['site:*'] }));
    assert.ok(isSelected({ adapters: ['nso1'], tags: ['lab'] }));
    assert.ok(!isSelected({ adapters: ['nso'], tags: ['lab'] }));
    assert.ok(!isSelected({ adapters: ['nso1'], tags: ['site:zurich'] }));
  });

  it('refuses a path above the maximum length (bug: a megabyte took a second for 20 rules)', () => {
    const long = (length: number) => ({ call: { ...CALL, path: `/${'a'.repeat(length)}` } });
    assert.equal(resultOf([{ paths: ['/**'] }], [], long(8191)), 'allowed');
    assert.equal(resultOf([{ paths: ['/**'] }], [], long(8192)), 'denied');
    assert.equal(resultOf([], [], long(8192)), 'allowed');
  });

  it('depends on a method or path that is not known, unless the rule is decided without them', () => {
    const { operation } = CALL;
    assert.equal(resultOf([{ methods: ['GET'] }], [], { call: { operation } }), 'depends');
    assert.equal(resultOf([{ paths: ['/a'] }], [], { call: { operation, method: 'GET' } }), 'depends');
    assert.equal(resultOf([{ roles: ['admin'], paths: ['/a'] }], [], { call: { operation } }), 'denied');
    assert.equal(resultOf([{ paths: ['/a'] }, {}], [], { call: { operation } }), 'allowed');
  });

  it('refuses a caller without roles when a rule requires roles', () => {
    assert.equal(resultOf([{ roles: ['admin'] }], [], { roles: [] }), 'denied');
    assert.equal(resultOf([], [{ roles: [] }], { roles: ['admin'] }), 'denied');
  });
});

const word = fc.constantFrom('a', 'b', 'c');
const list = (values: fc.Arbitrary<string>) =>
  fc.option(fc.array(values, { minLength: 1, maxLength: 3 }), { nil: undefined });
const path = fc.constantFrom('/a', '/a/b', '/b?x=1', '/a%2Fb', `/${'a'.repeat(9000)}`);
const pattern = fc.constantFrom('/a', '/a/**', '/*', '/b');
const method = fc.constantFrom('GET', 'POST', 'CALL');
const operation = fc.constantFrom(...CALL_OPERATIONS);
const rule = fc
  .record({
    adapters: list(fc.constantFrom('core1', 'core*', 'x*')),
    tags: list(fc.constantFrom('lab', '*', 'z')),
    operations: list(operation),
    roles: list(word),
    methods: list(method),
    paths: list(pattern),
  })
  .map((members) => Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)));
const policy = fc
  .record({ global: fc.array(rule, { maxLength: 4 }), own: fc.array(rule, { maxLength: 3 }) })
  .map(({ global, own }) =>
    adapterPolicy(
      {
        adapterId: 'core1',
        tags: ['lab'],
        access: own.map(({ adapters: _a, tags: _t, operations: _o, ...rest }: GlobalAccessRule) => rest),
      },
      global,
    ),
  );
const allowed: fc.Arbitrary<AllowedRoles> = fc.oneof(
  fc.array(word, { maxLength: 2 }),
  fc.constantFrom('authenticated' as const, 'public' as const),
);
const question = fc.record({
  policy,
  allowed,
  operation,
  method,
  path,
  roles: fc.array(word, { maxLength: 3 }),
});

describe('an explanation of a decision', () => {
  it('agrees with what refuses calls (property)', () => {
    fc.assert(
      fc.property(question, ({ policy, allowed, roles, ...call }) => {
        const { result, steps } = explainAccess({
          caller: { source: 'roles', roles },
          operation: { name: call.operation, allowed, isConfigured: false },
          policies: [policy],
          adapter: policy,
          method: call.method,
          path: call.path,
        });
        assert.equal(result, isServed({ policy, allowed, roles, ...call }) ? 'allowed' : 'denied');
        const last = steps.at(-1);
        assert.equal(last?.result, result);
        for (const { outcomes, rules } of steps) assert.equal(rules.length, outcomes.length);
      }),
      { numRuns: 5_000 },
    );
  });

  it('is never "allowed" or "denied" for an open question if some call has another result (property)', () => {
    fc.assert(
      fc.property(question, ({ policy, allowed, roles, ...call }) => {
        const through = { policy, call: { operation: call.operation } };
        const { result } = decideAccess({ principal: { roles }, allowed, through });
        if (result === 'depends' || call.path.length > 8192) return;
        assert.equal(result === 'allowed', isServed({ policy, allowed, roles, ...call }));
      }),
      { numRuns: 5_000 },
    );
  });

  it('hides an adapter from lists only if no call is served (property)', () => {
    fc.assert(
      fc.property(question, ({ policy, roles, ...call }) => {
        if (isServed({ ...call, policy, roles, allowed: 'public' })) assert.ok(mayUseAdapter(policy, roles));
      }),
      { numRuns: 2_000 },
    );
  });
});

type Question = typeof question extends fc.Arbitrary<infer T> ? T : never;

/** Returns true if the two checks of a served call do not refuse it: of the operation's roles and of the rules. */
function isServed({ policy, allowed, roles, operation, method, path }: Question): boolean {
  const principal = { subject: 'ada', issuer: 'i', roles, expiresAt: 0 };
  if (!admits(allowed, principal)) return false;
  try {
    checkAccess(policy, { operation, method, path }, principal);
    return true;
  } catch (error) {
    assert.ok(error instanceof Problem && error.code === 'adapter_forbidden');
    return false;
  }
}
