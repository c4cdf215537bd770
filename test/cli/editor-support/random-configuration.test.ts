import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { JsonSchema } from '../../../src/core/schema.js';
import { settingsSchema } from '../../../src/settings/settings.js';
import { validValue } from './random-configuration.js';

describe('validValue', () => {
  it('returns every key of forms.yang', () => {
    const { forms } = settingsSchema['properties'] as Readonly<Record<string, JsonSchema>>;
    const { yang } = forms?.['properties'] as Readonly<Record<string, JsonSchema>>;
    assert.ok(forms && yang);
    const samples = fc.sample(validValue(forms), { numRuns: 200, seed: 1 });
    const found = new Set(samples.flatMap((sample) => Object.keys((sample as { yang?: object }).yang ?? {})));
    assert.deepEqual([...found].sort(), Object.keys(yang['properties'] as object).sort());
  });
});
