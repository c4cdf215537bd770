import assert from 'node:assert/strict';
import type { Connection } from '../../../src/core/adapter.js';
import { proofText } from '../../../src/core/secret-proof.js';
import type { AdapterInstance, SessionProof } from '../../../src/core/snapshot.js';
import { type RotatedAdapter, SecretProofs } from '../../../src/server/state/secret-proofs.js';
import { memoryLog } from '../../support/memory-log.js';

const REFUSED: SessionProof = { verdict: 'refused', reason: 'answered 401' };

describe('the tests of rotated secrets', () => {
  let proofs: SecretProofs;
  let tries: number;
  let told: SessionProof | undefined;
  let connection: Connection;
  const instance = {
    id: 'core1',
    connection: () => connection,
    prove: () => {
      tries += 1;
      return Promise.resolve(told);
    },
  } as unknown as AdapterInstance;
  const originOf = (fingerprint: string, version: number | null) => ({
    fingerprint,
    references: [],
    files: [],
    secrets: { fingerprint, versions: new Map([['/auth/password', { path: 'core1', version }]]) },
  });
  const rotatedTo = (version: number | null, mode: RotatedAdapter['mode']): RotatedAdapter => ({
    instance,
    mode,
    origin: originOf(`of ${version}`, version),
    previous: { origin: originOf('before', 1), value: instance },
  });
  const live = new Map([['core1', instance]]);
  const text = (): string | undefined => {
    const proof = proofs.of(instance);
    return proof && proofText(proof);
  };
  beforeEach(() => {
    proofs = new SecretProofs({ now: () => 1_000 }, memoryLog().log);
    [tries, told, connection] = [0, REFUSED, { state: 'ONLINE', since: 0 }];
  });

  it('test-first tries a value once, until the former one is refused as well', async () => {
    const rotated = rotatedTo(2, 'test-first');
    assert.equal(proofs.knownRefusalOf(rotated), undefined);
    assert.match((await proofs.refusalOf(rotated)) ?? '', /refused version 2/);
    assert.match(proofs.knownRefusalOf(rotatedTo(2, 'test-first')) ?? '', /refused version 2/);
    assert.equal(proofs.knownRefusalOf(rotatedTo(3, 'test-first')), undefined);
    assert.deepEqual([tries, text()], [1, 'refused with version 2; the former value stays in use']);
    connection = { state: 'LOGIN_REFUSED', since: 0 };
    assert.equal(proofs.knownRefusalOf(rotated), undefined);
    assert.equal(await proofs.refusalOf(rotatedTo(2, 'test-first')), undefined);
    assert.deepEqual([tries, text()], [2, 'refused with version 2']);
  });

  it('test-first uses a value that the orchestrator accepts, or says nothing about', async () => {
    for (const verdict of ['accepted', 'failed'] as const) {
      told = { verdict };
      assert.equal(await proofs.refusalOf(rotatedTo(2, 'test-first')), undefined);
    }
    assert.equal(text(), 'not tested with version 2');
  });

  it('switch tries a value after the swap, and names one without versions', async () => {
    assert.equal(await proofs.refusalOf(rotatedTo(null, 'switch')), undefined);
    assert.equal(tries, 0);
    const result = new Promise<string>((resolve) => {
      proofs.onProof((adapter, proof) => {
        resolve(`${adapter}: ${proofText(proof)}`);
      });
    });
    proofs.followSwap(live);
    assert.equal(await result, 'core1: refused with the new value');
    proofs.followSwap(new Map());
    assert.equal(text(), undefined, 'an adapter that was removed has no result');
  });

  it('forgets a refusal that later calls disprove, and the result of an adapter that was closed', async () => {
    await proofs.refusalOf(rotatedTo(2, 'switch'));
    proofs.followSwap(live);
    await new Promise(setImmediate);
    assert.equal(text(), 'refused with version 2');
    connection = { state: 'ONLINE', since: 0, lastOkAt: 2_000 };
    assert.equal(text(), undefined);
    told = undefined;
    await proofs.refusalOf(rotatedTo(3, 'switch'));
    proofs.followSwap(live);
    await new Promise(setImmediate);
    assert.equal(text(), undefined);
  });
});
