import assert from 'node:assert/strict';
import { jsonBodyOf } from '../../../src/features/yang-forms/module-text.js';

describe('the JSON of an orchestrator about its modules', () => {
  it('has at most 50,000 values: 4 MiB of more took 0.3 s of the event loop', () => {
    const listOf = (count: number): unknown => {
      const body = Buffer.from(`[${Array(count).fill('{}').join(',')}]`);
      return jsonBodyOf({ status: 200, headers: {}, body });
    };
    assert.ok(Array.isArray(listOf(49_000)));
    assert.equal(listOf(50_001), undefined);
  });
});
