import assert from 'node:assert/strict';
import { statusNoteOf, type AdapterDirectory } from '../../../src/features/adapters/require-adapter.js';

function noteWith(state: object, behind?: string): string {
  const view = { instance: { state: () => state }, isActive: true, behind };
  return statusNoteOf({ list: () => [], find: () => view } as unknown as AdapterDirectory, 'core1');
}

describe('the sentence about an adapter that does not serve', () => {
  for (const reason of ['no password', 'no password.']) {
    it(`ends with one full stop for the reason "${reason}"`, () => {
      assert.equal(noteWith({ name: 'DEAD', reason }), ' The adapter is dead: no password.');
      assert.match(noteWith({ name: 'STARTING', reason }), /is tried again: no password\.$/);
      assert.match(noteWith({ name: 'RUNNING' }, reason), /does not work: no password\.$/);
    });
  }
});
