import assert from 'node:assert/strict';
import { rotationRows, rotationSpan } from '../../../console/src/pages/secrets/rotation-rows.js';
import type { Reference } from '../../../console/src/pages/secrets/secret.js';
import { column } from '../../support/columns.js';

const NOW = Date.UTC(2026, 10, 25);
const DAY_MS = 86_400_000;

function reference(name: string, fetchedAt: number | null, leaseSeconds: number | null): Reference {
  const state = { resolves: true, cause: null, fix: null, rotation: 'current', isTooOld: false } as const;
  const reference = `$VAULT_${name}#password`;
  return {
    ...state,
    reference,
    usedBy: [],
    fetchedAt,
    version: 1,
    leaseSeconds,
    renewable: null,
    rotated: null,
  };
}

describe('the rotation timeline', () => {
  it('lists the lease that ends first at the top, and omits secrets that were never read', () => {
    const [recent, never] = [NOW - 1_000, null];
    const references = [
      reference('static', recent, null),
      reference('never', never, null),
      reference('long', recent, 7_200),
      reference('short', recent, 60),
    ];
    const rows = rotationRows(references, NOW);
    const names = rows.map(({ reference: { reference: name } }) => name);
    assert.deepEqual(names, ['$VAULT_short#password', '$VAULT_long#password', '$VAULT_static#password']);
    assert.deepEqual(column(rows, 'to'), [NOW + 60_000, NOW + 7_200_000, undefined]);
  });

  it('shows at most a day before and after now', () => {
    const rows = rotationRows([reference('old', NOW - 9 * DAY_MS, 90 * 86_400)], NOW);
    const { from, to } = rotationSpan(rows, NOW);
    assert.deepEqual([from, to], [NOW - DAY_MS, NOW + DAY_MS]);
  });
});
