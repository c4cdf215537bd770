import assert from 'node:assert/strict';
import {
  hasProblem,
  inNameOrder,
  isCauseOfVault,
  proofStatusOf,
  type Reference,
  referenceStatusOf,
  rotationTextOf,
  vaultSentenceOf,
  vaultStatusOf,
} from '../../../console/src/pages/secrets/secret.js';
import { formatSpan } from '../../../console/src/text/span.js';
import { column } from '../../support/columns.js';

const FINE: Reference = {
  reference: '$VAULT_a#b',
  usedBy: [],
  resolves: true,
  cause: null,
  fix: null,
  fetchedAt: null,
  version: 1,
  leaseSeconds: null,
  renewable: null,
  rotation: 'current',
  isTooOld: false,
  rotated: null,
};

function use(verdict: 'accepted' | 'refused' | 'failed', more: object = {}): Reference['usedBy'][number] {
  const proof = { at: 1, verdict, versions: [3], isInUse: true, reason: null, ...more };
  return { kind: 'adapter', name: 'core1', pointer: '/auth/password', proof };
}

describe('the state of a secret reference', () => {
  it('is one word, and never OK for a reference without a confirmed value', () => {
    for (const [changes, expected] of [
      [{}, 'good OK'],
      [{ resolves: null, rotation: 'missing' }, 'off Not checked yet'],
      [{ resolves: false, rotation: 'missing' }, 'bad Missing'],
      [{ rotation: 'stale' }, 'warning Using cached value'],
      [{ rotation: 'stale', isTooOld: true }, 'bad Cached value too old'],
      [{ resolves: false, rotation: 'ended' }, 'bad Expired'],
      [{ usedBy: [use('refused')] }, 'bad Refused'],
      [{ usedBy: [use('failed')] }, 'good OK'],
      [{ rotation: 'pending' }, 'busy New version, not applied yet'],
    ] as const) {
      const { status, word } = referenceStatusOf({ ...FINE, ...changes });
      assert.equal(`${status} ${word}`, expected);
    }
  });

  it('has the result of the test of a rotated value', () => {
    const wordOf = (one: Reference['usedBy'][number]) => proofStatusOf(one)?.word;
    assert.equal(wordOf(use('accepted')), 'Accepted with version 3.');
    assert.equal(wordOf(use('refused', { versions: [] })), 'Refused with the new value.');
    assert.equal(
      wordOf(use('refused', { versions: [2, 5], isInUse: false })),
      'Refused with version 2, 5. The former value stays in use.',
    );
    assert.equal(wordOf({ ...use('accepted'), proof: null }), undefined);
    assert.equal(hasProblem({ ...FINE, usedBy: [use('refused')] }), true);
  });

  it('is a problem when it does not resolve or is stale, but not while unchecked', () => {
    assert.equal(hasProblem(FINE), false);
    assert.equal(hasProblem({ ...FINE, resolves: null }), false);
    assert.equal(hasProblem({ ...FINE, resolves: false }), true);
    assert.equal(hasProblem({ ...FINE, rotation: 'stale' }), true);
    assert.equal(hasProblem({ ...FINE, rotation: 'ended' }), true);
  });

  it('repeats the cause of Vault only if it is not that of all cached values', () => {
    const of = (rotation: Reference['rotation'], condition: 'connected' | 'sealed' | 'degraded') =>
      isCauseOfVault({ rotation }, { condition });
    assert.equal(of('stale', 'sealed'), true);
    assert.equal(of('ended', 'sealed'), false);
    assert.equal(of('missing', 'sealed'), false);
    assert.equal(of('stale', 'degraded'), false);
    assert.equal(isCauseOfVault({ rotation: 'stale' }, null), false);
  });

  it('is in the order of the names, with numbers by their value', () => {
    const references = ['nso10', 'nso2', 'core1'].map((reference) => ({ ...FINE, reference }));
    assert.deepEqual(column(inNameOrder(references), 'reference'), ['core1', 'nso2', 'nso10']);
  });

  it('names the versions of its latest rotation', () => {
    const at = new Date(2026, 0, 1, 0, 44).getTime();
    assert.equal(rotationTextOf(FINE), undefined);
    const text = rotationTextOf({ rotated: { at, from: 1, to: 2 } }) ?? '';
    assert.match(text, /^Rotated from version 1 to 2 at Jan 1.*12:44/);
    assert.match(rotationTextOf({ rotated: { at, from: null, to: null } }) ?? '', /^Rotated at /);
  });

  it('shows durations in whole units', () => {
    assert.deepEqual([-5_000, 59_000, 119_000, 7_200_000, 172_800_000].map(formatSpan), [
      '0 sec',
      '59 sec',
      '1 min',
      '2 hr',
      '2 days',
    ]);
  });
});

describe('the state of Vault', () => {
  it('is the sentence of the problem list', () => {
    const vault = { condition: 'sealed', cachedSecrets: 2, cachedUntil: Date.now(), lostSecrets: 1 } as const;
    assert.equal(vaultStatusOf(vault).word, 'Sealed');
    assert.match(
      vaultSentenceOf(vault) ?? '',
      /^Vault is sealed\. 2 secrets run on cached values until \d+:\d\d.*\. 1 secret has expired or is too old\.$/,
    );
    assert.equal(vaultSentenceOf({ ...vault, condition: 'connected' }), undefined);
  });
});
