import assert from 'node:assert/strict';
import { Problem } from '../../../src/core/problem.js';
import { openSchemaValidator } from '../../../src/features/forms/schema-validator.js';
import { systemScheduler } from '../../../src/lib/clock.js';
import { memoryYangModels } from '../../support/yang-models.js';
import { BOMBS } from './schema-bombs.js';

const REFUSALS = ['schema_invalid', 'schema_too_costly', 'invalid_json'];

describe('F2: schema bombs', () => {
  it('number more than 300', () => {
    assert.ok(BOMBS.length > 300, `${BOMBS.length}`);
  });

  it('end with a result or a refusal (the hardest of each kind; all of them: npm run evidence -- bombs)', async () => {
    const validator = openSchemaValidator({ yangModels: memoryYangModels(), maxBytes: 10_000_000, validateTimeoutMs: 50, validateMemoryMb: 64, scheduler: systemScheduler }); // prettier-ignore
    const hardest = BOMBS.filter(({ kind }, at) => BOMBS[at + 1]?.kind !== kind);
    for (const { kind, body } of hardest)
      await validator
        .validateData(body(), { signal: new AbortController().signal })
        .catch((error: unknown) => {
          assert.ok(error instanceof Problem && REFUSALS.includes(error.code), `${kind}: ${String(error)}`);
        });
    await validator.close();
  });
});
