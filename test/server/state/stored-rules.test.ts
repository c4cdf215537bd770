import assert from 'node:assert/strict';
import { NO_STATE, type PlatformState } from '../../../src/core/platform-state.js';
import { compileSchema } from '../../../src/json-schema/compile.js';
import { rolesByGrant, validAccessRules } from '../../../src/server/state/access-policies.js';
import type { ConfigSection } from '../../../src/server/state/configuration.js';
import { openLimit, withStoredLimits } from '../../../src/server/state/stored-rules.js';

const deps = {
  compile: compileSchema,
  operationNames: ['login.login', 'orchestrator-manager.restQuery', 'limits.putLimitRule'],
};
const record = (name: string, document: Readonly<Record<string, unknown>>) => ({
  name,
  document,
  id: 'a'.repeat(24),
  revision: 1,
});
const mainWith = (limits: object) => ({ written: { value: { limits } } }) as unknown as ConfigSection;
const limitsIn = (main: ConfigSection) =>
  (main.written.value as { readonly limits: Readonly<Record<string, { readonly requests: number }>> }).limits;
const stored = (...limits: PlatformState['limits']): PlatformState => ({ ...NO_STATE, limits });

describe('withStoredLimits', () => {
  it('adds stored limits with their defaults, and leaves those of the file as they are', () => {
    const main = mainWith({ a: { requests: 5 } });
    const limits = limitsIn(
      withStoredLimits(
        main,
        stored(record('a', { requests: 1 }), record('b', { roles: ['x'], requests: 2 })),
        deps,
      ),
    );
    assert.deepEqual(limits['a'], { requests: 5 });
    assert.deepEqual(limits['b'], {
      enabled: true,
      per: 'subject',
      operations: [],
      adapters: [],
      roles: ['x'],
      callerNames: [],
      requests: 2,
      periodSeconds: 60,
      burst: null,
      concurrent: null,
    });
  });

  it('leaves out a limit whose operation is gone, so that the server starts', () => {
    const main = mainWith({});
    assert.equal(
      withStoredLimits(main, stored(record('b', { requests: 20, operations: ['gone.op'] })), deps),
      main,
    );
  });

  it('adds no more limits than the configuration may have', () => {
    const main = mainWith(Object.fromEntries(Array.from({ length: 49 }, (_, at) => [`f${at}`, {}])));
    const more = ['x', 'y'].map((name) => record(name, { requests: 100 }));
    assert.equal(Object.keys(limitsIn(withStoredLimits(main, stored(...more), deps))).length, 50);
  });
});

describe('openLimit', () => {
  const codesOf = (rule: Readonly<Record<string, unknown>>) => {
    const opened = openLimit('x', rule, deps);
    return 'faults' in opened ? opened.faults.map(({ pointer, code }) => `${pointer} ${code}`) : [];
  };

  it('rejects a limit that could keep administrators out', () => {
    assert.deepEqual(codesOf({ requests: 9 }), ['/requests lock_out']);
    assert.deepEqual(codesOf({ requests: 100, periodSeconds: 3600 }), ['/requests lock_out']);
    assert.deepEqual(codesOf({ concurrent: 1 }), ['/concurrent lock_out']);
    assert.deepEqual(codesOf({ requests: 50, operations: ['limits.*'] }), ['/operations/0 lock_out']);
    assert.deepEqual(codesOf({ requests: 1, operations: ['login.*'] }), ['/requests lock_out']);
  });

  it('accepts slow limits that no login counts for', () => {
    assert.deepEqual(codesOf({ requests: 10 }), []);
    assert.deepEqual(codesOf({ requests: 1, callerNames: ['robot'] }), []);
    assert.deepEqual(codesOf({ requests: 1, operations: ['orchestrator-manager.*'] }), []);
    // No login goes through an adapter.
    assert.deepEqual(codesOf({ requests: 2, periodSeconds: 3600, adapters: ['lab1'] }), []);
  });

  it('rejects references to secrets', () => {
    assert.deepEqual(codesOf({ requests: 10, callerNames: ['$VAULT_a/b'] }), ['/callerNames/0 reference']);
  });
});

describe('validAccessRules', () => {
  it('leaves out rules that cannot be read, which then admit nothing', () => {
    const accessRules = [
      record('good', { roles: ['noc'] }),
      record('no-roles', { adapters: ['a'] }),
      record('unknown-key', { roles: ['noc'], deny: ['x'] }),
      record('unknown-operation', { roles: ['noc'], operations: ['gone.op'] }),
      record('no-lists', { roles: 'noc' }),
    ];
    const state = { ...NO_STATE, accessRules };
    assert.deepEqual(
      validAccessRules(state).map(({ name }) => name),
      ['good'],
    );
    assert.deepEqual(rolesByGrant(state).get('proxy.passThrough'), ['noc']);
    assert.equal(rolesByGrant(NO_STATE).size, 0);
  });
});
