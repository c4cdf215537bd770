import assert from 'node:assert/strict';
import { gatehouseVerifier, measureJwt } from './jwt/measure.js';
import { plainVerifier } from './jwt/plain-verifier.js';
import { measureTimes } from './jwt/times.js';
import { gatehouseJudge, plainJudge } from './jwt/wycheproof.js';

describe('forged tokens', function () {
  this.timeout(120_000);

  it('J1, J2, J3, J4, J5, J6, J7, J10, J11: are refused in every variant', async () => {
    const { holds, figures } = await measureJwt(
      { judge: gatehouseJudge, verifierOf: gatehouseVerifier },
      500,
    );
    assert.ok(holds, JSON.stringify(figures));
    assert.ok((figures['own'] as { readonly vectors: number }).vectors >= 180);
    assert.equal((figures['playbook'] as { readonly vectors: number }).vectors, 427);
  });

  it('J11: are measured by the time that each cause of refusal takes', () => {
    const { micros, t } = measureTimes(2);
    assert.deepEqual(Object.keys(micros).length, 8);
    for (const figure of [...Object.values(micros), ...Object.values(t)])
      assert.equal(typeof figure, 'number');
  });

  it('are accepted by the bare library (control)', async () => {
    const { holds, figures } = await measureJwt({ judge: plainJudge, verifierOf: plainVerifier }, 500);
    assert.equal(holds, false);
    const own = figures['own'] as { readonly wrong: readonly string[] };
    for (const id of ['J3', 'J4', 'J5', 'J7'])
      assert.ok(
        own.wrong.some((name) => name.startsWith(id)),
        id,
      );
  });
});
