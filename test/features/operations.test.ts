import assert from 'node:assert/strict';
import { describeOperations } from '../../src/features/operations.js';

describe('describeOperations', () => {
  it('describes the operations once (bug: ten parts of a start described them again)', () => {
    assert.equal(describeOperations(), describeOperations());
    assert.ok(describeOperations().some(({ example }) => example));
  });
});
