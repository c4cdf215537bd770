import assert from 'node:assert/strict';
import { rotationRows, rotationSpan } from '../../../console/src/pages/secrets/rotation-rows.js';
import type { Reference } from '../../../console/src/pages/secrets/secret.js';

const NOW = Date.UTC(2026, 10, 25);
const DAY_MS = 86_400_000;

function reference(name: string, fetchedAt: number | null, leaseSeconds: number | null): Reference {
  return {
    reference: `$VAULT_${name}#password`,
    usedBy: [],
    resolves: true,
    cause: null,
    fix: null,
    fetchedAt,
    version: 1,
    leaseSeconds,
    renewable: null,
    rotation: 'current',
    isTooOld: false,
    rotated: null,
  };
}

describe('the rotation timeline', () => {
  it('lists the lease that ends first at the top, and omits secrets that were never read', () => {
    const rows = rotationRows(
      [
        reference('static', NOW - 1_000, null),
        reference('never', null, null),
        reference('long', NOW - 1_000, 7_200),
        reference('short', NOW - 1_000, 60),
      ],
      NOW,
    );
    assert.deepEqual(
      rows.map(({ reference: { reference: name }, to }) => [name, to]),
      [
        ['$VAULT_short#password', NOW + 60_000],
        ['$VAULT_long#password', NOW + 7_200_000],
        ['$VAULT_static#password', undefined],
      ],
    );
  });

  it('shows at most a day before and after now', () => {
    const rows = rotationRows([reference('old', NOW - 9 * DAY_MS, 90 * 86_400)], NOW);
    const { from, to } = rotationSpan(rows, NOW);
    assert.deepEqual([from, to], [NOW - DAY_MS, NOW + DAY_MS]);
  });
});
