import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  type AdapterCall,
  checkAccess,
  decideAccess,
  decideAdapterCall,
  mayUseAdapter,
} from '../../src/core/access-decision.js';
import { adapterPolicy, type GlobalAccessRule } from '../../src/core/access-policy.js';
import type { AccessRule } from '../../src/core/access.js';
import { type CalledMethod, calledMethod } from '../../src/core/adapter-method.js';
import { admits, type AllowedRoles } from '../../src/core/principal.js';
import { Problem } from '../../src/core/problem.js';
import { explainAccess } from '../../src/features/access/access-explanation.js';
import { CALL_BY_NAME, CALL_OPERATIONS } from '../../src/settings/access.js';
import { policyWith } from '../support/policy-with.js';

const CALL = {
  operation: 'orchestrator-manager.restQuery',
  method: 'GET',
  path: '/restconf/data/x?depth=1',
} as const;

interface Asked {
  readonly call?: AdapterCall;
  readonly roles?: readonly string[];
}

const resultOf = (
  access: readonly AccessRule[],
  rules: readonly GlobalAccessRule[],
  { call = CALL, roles = ['engineering'] }: Asked = {},
) => decideAdapterCall(policyWith(access, rules), call, roles).result;

const { operation: OPERATION } = CALL;
const [ENGINEERING, ADMIN, GET] = [{ roles: ['engineering'] }, { roles: ['admin'] }, { methods: ['GET'] }];
const ONE_OPERATION = { operations: [OPERATION] };

type Decision = readonly [
  own: readonly AccessRule[],
  main: readonly GlobalAccessRule[],
  result: string,
  asked?: Asked,
];

/** A rule that is alone, as a rule of the adapter and as a rule of the main configuration. */
const alone = (rule: AccessRule, result: string): readonly Decision[] => [
  [[rule], [], result],
  [[], [rule], result],
];

const UNTAGGED = calledMethod({ name: 'getDevice', summary: '', input: {} });
const DEVICE: CalledMethod = { name: 'getDevice', tags: ['devices', 'x'], effect: 'read' };

/** Like {@link alone}, for a call of the method getDevice by its name. */
const byName = (
  rule: AccessRule,
  result: string,
  ...known: readonly (CalledMethod | undefined)[]
): readonly Decision[] => {
  const called = known.length === 0 ? DEVICE : known[0];
  const call = { operation: CALL_BY_NAME, method: 'CALL', path: '/call/getDevice', called } as const;
  return alone(rule, result).map(([own, main]) => [own, main, result, { call }]);
};

const DECISIONS: readonly Decision[] = [
  [[], [], 'allowed'],
  [[], [{ adapters: ['other*'], roles: ['admin'] }], 'allowed'],
  ...alone({}, 'allowed'),
  ...alone({ roles: ['admin', 'engineering'] }, 'allowed'),
  ...alone(ADMIN, 'denied'),
  ...alone(GET, 'allowed'),
  ...alone({ methods: ['POST'] }, 'denied'),
  ...alone({ paths: ['/other', '/restconf/data/**'] }, 'allowed'),
  ...alone({ paths: ['/restconf/data'] }, 'denied'),
  ...alone({ ...ENGINEERING, ...GET, paths: ['/x'] }, 'denied'),
  // A rule of the main configuration and a rule of the adapter must admit the call.
  [[ENGINEERING], [ENGINEERING], 'allowed'],
  [[ENGINEERING], [ADMIN], 'denied'],
  [[ADMIN], [ENGINEERING], 'denied'],
  [[], [ONE_OPERATION], 'allowed'],
  [[], [ONE_OPERATION], 'denied', { call: { ...CALL, operation: 'proxy.passThrough' } }],
  // A method or a path is not known.
  [[GET], [], 'depends', { call: { operation: OPERATION } }],
  [[{ paths: ['/a'] }], [], 'depends', { call: { operation: OPERATION, method: 'GET' } }],
  [[{ ...ADMIN, paths: ['/a'] }], [], 'denied', { call: { operation: OPERATION } }],
  [[{ paths: ['/a'] }, {}], [], 'allowed', { call: { operation: OPERATION } }],
  [[ADMIN], [], 'denied', { roles: [] }],
  ...byName({ methodNames: ['get*', 'scan'] }, 'allowed'),
  ...byName({ methodNames: ['set*'] }, 'denied'),
  ...byName({ methodTags: ['dev*'] }, 'allowed'),
  ...byName({ methodTags: ['sites'] }, 'denied'),
  ...byName({ methodEffects: ['read'] }, 'allowed'),
  ...byName({ methodEffects: ['change', 'delete'] }, 'denied'),
  ...byName({ methodNames: ['get*'], methodTags: ['sites'] }, 'denied'),
  // Only the name is known, by the path or by itself.
  ...byName({ methodNames: ['get*'] }, 'allowed', undefined),
  ...byName({ methodTags: ['devices'] }, 'depends', undefined),
  ...byName({ methodEffects: ['read'] }, 'depends', undefined),
  ...byName({ methodNames: ['set*'], methodTags: ['devices'] }, 'denied', undefined),
  // A method without tags and effect may change something.
  ...byName({ methodTags: ['*'] }, 'denied', UNTAGGED),
  ...byName({ methodEffects: ['change'] }, 'allowed', UNTAGGED),
  // A rule about methods by name admits no other call.
  ...alone({ methodNames: ['*'] }, 'denied'),
  ...alone({ methodTags: ['*'] }, 'denied'),
  ...alone({ methodEffects: ['read'] }, 'denied'),
  [[], [{ roles: [] }], 'denied', { roles: ['admin'] }],
];

describe('decideAdapterCall', () => {
  for (const [own, main, result, asked] of DECISIONS)
    it(`is ${result} by ${JSON.stringify([own, main, asked])}`, () => {
      assert.equal(resultOf(own, main, asked), result);
    });

  it('requires one rule that admits the call by all of its members', () => {
    const [posts, gets] = [
      { ...ENGINEERING, methods: ['POST'] },
      { ...ADMIN, ...GET },
    ];
    assert.equal(resultOf([posts, gets], []), 'denied');
    assert.equal(resultOf([ADMIN, GET], []), 'allowed');
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

describe('stored access rules', () => {
  const roles = {
    'orchestrator-manager.restAction': ['admin'],
    'orchestrator-manager.restQuery': ['admin'],
    'proxy.passThrough': ['admin'],
    'adapters.callAdapterMethod': ['admin'],
  };
  const query = { operation: OPERATION, method: 'GET', path: '/x' } as const;
  const grant = { roles: ['noc'], operations: [OPERATION] };
  const policy = (
    rules: readonly GlobalAccessRule[],
    granted: readonly GlobalAccessRule[],
    access: readonly AccessRule[] = [],
  ) => ({
    ...policyWith(access, rules),
    granted: { roles, rules: granted.map((rule, index) => ({ index, name: `g${index}`, rule })) },
  });
  const LAB = { roles: ['lab'] };

  for (const [title, of, role, result, operation = OPERATION] of [
    ['admit their calls without rules in files', policy([], [grant]), 'noc', 'allowed'],
    ['admit their calls beside rules in files', policy([LAB], [grant]), 'noc', 'allowed'],
    ['admit no other operation', policy([], [grant]), 'noc', 'denied', 'orchestrator-manager.restAction'],
    ['open no adapter to a role without a rule', policy([], []), 'noc', 'denied'],
    ['open no adapter to a role that a rule for all admits', policy([GET], []), 'noc', 'denied'],
    ['open no adapter to a role of the files only', policy([{ roles: ['noc'] }], []), 'noc', 'denied'],
    ['take no right away without rules in files', policy([], [grant]), 'admin', 'allowed'],
    ['take no right away beside rules in files', policy([ADMIN], [grant]), 'admin', 'allowed'],
    ['give no right to other roles', policy([LAB], [grant]), 'admin', 'denied'],
    ['admit a caller of the operation whom the files refuse', policy([LAB], [ADMIN]), 'admin', 'allowed'],
    ['do not replace the rules of the adapter', policy([], [grant], [LAB]), 'noc', 'denied'],
    ['admit what the adapter admits', policy([], [grant], [{ paths: ['/x'] }]), 'noc', 'allowed'],
  ] as const)
    it(title, () => {
      assert.equal(decideAdapterCall(of, { ...query, operation }, [role]).result, result);
      if (result === 'allowed') assert.ok(mayUseAdapter(of, [role]));
    });

  it('make up for the roles of the operation in a decision', () => {
    const through = { call: query, policy: policy([], [grant]) };
    const { result, steps } = decideAccess({ principal: { roles: ['noc'] }, allowed: ['admin'], through });
    assert.equal(result, 'allowed');
    assert.deepEqual(
      steps.map((step) => [step.check, step.result]),
      [
        ['operation', 'denied'],
        ['granted', 'allowed'],
        ['adapter', 'allowed'],
      ],
    );
  });

  it('name themselves in a refusal', () => {
    assert.throws(() => {
      checkAccess(
        policy([], [grant]),
        { ...query, path: '/y', operation: 'proxy.passThrough' },
        { roles: ['noc'] },
      );
    }, /neither the main configuration nor a stored access rule/);
  });
});
