import assert from 'node:assert/strict';
import { describeOperations } from '../../../src/features/operations.js';
import { createEventTypesOf } from '../../../src/features/traffic/request-recorder.js';

describe('createEventTypesOf', () => {
  const topicsOf = createEventTypesOf(describeOperations());

  for (const [operation, status, ...topics] of [
    ['json-forms.createForm', 200, 'forms'],
    ['profiles.createProfile', 200, 'profiles'],
    ['adapters.createAdapter', 200, 'adapters'],
    ['platform.refreshSecrets', 200, 'secrets'],
    ['json-forms.createForm', 409],
    ['json-forms.getForms', 200],
    ['orchestrator-manager.restAction', 200],
    ['deprecations.getActiveSessions', 410, 'deprecations'],
    ['', 404],
  ] as const)
    it(`returns ${topics.join() || 'nothing'} for the status ${status} of ${operation || 'no operation'}`, () => {
      assert.deepEqual(topicsOf({ operation, status }), topics);
    });
});
