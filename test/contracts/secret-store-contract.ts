import assert from 'node:assert/strict';
import { findReferences, type LocatedReference } from '../../src/secrets/find-references.js';
import type { SecretSource } from '../../src/secrets/open-secrets.js';
import { column } from '../support/columns.js';
import type { LogLine } from '../support/memory-log.js';

/** A store of secrets, and how its tests change the secrets. */
export interface SecretStoreBench {
  /** The source that reads from the store alone. */
  readonly source: SecretSource;
  readonly log: readonly LogLine[];
  /** Owners of each reported change. */
  readonly changes: readonly (readonly string[])[];
  /** Writes the members of a secret; replaces those that it had. */
  put(path: string, members: Readonly<Record<string, string>>): Promise<void>;
  remove(path: string): Promise<void>;
  /** Returns the text of a reference to a member of a secret. */
  reference(path: string, member: string): string;
  close(): Promise<void>;
}

const USER = 'c4n4ry-user-1';
const PASSWORD = 'c4n4ry-password-1';
const NEXT = 'c4n4ry-password-2';

/** Defines the tests that every store of secrets passes. `open` returns a store with no secret. */
export function secretStoreContract(open: () => Promise<SecretStoreBench>): void {
  let bench: SecretStoreBench;
  beforeEach(async () => {
    bench = await open();
    await bench.put('a', { user: USER, password: PASSWORD });
    await bench.put('b', { key: 'c4n4ry-key-1' });
  });
  afterEach(() => bench.close());

  const referencesTo = (...members: readonly (readonly [string, string])[]): readonly LocatedReference[] =>
    findReferences(members.map(([path, member]) => bench.reference(path, member))).references;
  const values = async (
    references: readonly LocatedReference[],
    freshness: 'read' | 'held' = 'read',
  ): Promise<readonly unknown[]> => {
    const resolved = await bench.source.resolve(references, freshness);
    return references.map(({ pointer }) => {
      const resolution = resolved.get(pointer);
      return resolution && 'value' in resolution ? resolution.value : resolution?.code;
    });
  };
  const use = async (owners: Readonly<Record<string, readonly LocatedReference[]>>): Promise<void> => {
    for (const references of Object.values(owners)) await bench.source.resolve(references);
    bench.source.watch(new Map(Object.entries(owners)));
  };

  it('resolves every reference, by pointer', async () => {
    const references = referencesTo(['a', 'user'], ['a', 'password'], ['b', 'key'], ['a', 'user']);
    assert.deepEqual(await values(references), [USER, PASSWORD, 'c4n4ry-key-1', USER]);
  });

  it('resolves nothing without references', async () => {
    assert.equal((await bench.source.resolve([])).size, 0);
  });

  it('explains a missing secret and a missing member, without a value', async () => {
    const resolved = await bench.source.resolve(referencesTo(['none', 'x'], ['a', 'none']));
    for (const resolution of resolved.values()) {
      assert.ok('code' in resolution);
      assert.match(resolution.code, /^(?:VAULT|FILE)_(?:FIELD_MISSING|NOT_FOUND)$/);
      assert.ok(resolution.message !== '' && resolution.fix !== '');
      assert.ok(!JSON.stringify(resolution).includes('c4n4ry'));
    }
    assert.equal(resolved.size, 2);
  });

  it('reports a changed value to its owners only, and then holds it', async () => {
    const [nso, other] = [referencesTo(['a', 'password']), referencesTo(['b', 'key'])];
    await use({ nso, other });
    await bench.put('a', { user: USER, password: NEXT });
    await bench.source.refresh();
    assert.deepEqual(bench.changes, [['nso']]);
    assert.deepEqual(await values(nso, 'held'), [NEXT]);
  });

  it('reports nothing when another member changes', async () => {
    await use({ nso: referencesTo(['a', 'user']) });
    await bench.put('a', { user: USER, password: NEXT });
    await bench.source.refresh();
    assert.deepEqual(bench.changes, []);
  });

  it('keeps the last good value of a secret that is gone, or has lost a member', async () => {
    const nso = referencesTo(['a', 'password'], ['b', 'key']);
    await use({ nso });
    await bench.put('a', { user: USER });
    await bench.remove('b');
    await bench.source.refresh();
    assert.deepEqual(bench.changes, []);
    assert.deepEqual(await values(nso, 'held'), [PASSWORD, 'c4n4ry-key-1']);
    assert.equal(bench.source.status().state, 'degraded');
    for (const { state, failure } of bench.source.inUse()) {
      assert.equal(state, 'stale');
      assert.notEqual(failure?.fix ?? '', '');
    }
  });

  it('recovers by itself', async () => {
    const nso = referencesTo(['b', 'key']);
    await use({ nso });
    await bench.remove('b');
    await bench.source.refresh();
    await bench.put('b', { key: 'c4n4ry-key-2' });
    await bench.source.refresh();
    assert.deepEqual(bench.changes, [['nso']]);
    assert.equal(bench.source.status().state, 'running');
  });

  it('reports a secret that arrives after its owner', async () => {
    await use({ nso: referencesTo(['late', 'key']) });
    assert.deepEqual(column(bench.source.inUse(), 'state'), ['missing']);
    await bench.put('late', { key: 'c4n4ry-key-1' });
    await bench.source.refresh();
    assert.deepEqual(bench.changes, [['nso']]);
  });

  it('finds a changed value after a refusal by the orchestrator', async () => {
    await use({ nso: referencesTo(['a', 'password']) });
    await bench.put('a', { user: USER, password: NEXT });
    assert.equal(await bench.source.refreshAfterRefusal('nso'), true);
    assert.equal(await bench.source.refreshAfterRefusal('unknown'), false);
  });

  it('lists who uses a reference, and forgets what nobody uses', async () => {
    const [one] = referencesTo(['a', 'password']);
    assert.ok(one);
    await use({ nso: [one], other: [one] });
    const [listed] = bench.source.inUse();
    assert.equal(listed?.reference, bench.reference('a', 'password'));
    assert.deepEqual(column(listed.usedBy, 'owner'), ['nso', 'other']);
    bench.source.watch(new Map());
    assert.deepEqual(bench.source.inUse(), []);
  });

  it('writes no value to the log', async () => {
    await use({ nso: referencesTo(['a', 'password']) });
    await bench.put('a', { user: USER, password: NEXT });
    await bench.source.refresh();
    await bench.remove('a');
    await bench.source.refresh();
    assert.ok(bench.log.length > 0);
    assert.ok(!JSON.stringify(bench.log).includes('c4n4ry'));
  });

  it('closes twice', async () => {
    await use({ nso: referencesTo(['a', 'password']) });
    await bench.source.close();
    await bench.source.close();
  });
}
