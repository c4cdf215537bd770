import assert from 'node:assert/strict';
import { describeOperations } from '../../../src/features/operations.js';
import { createEventTypesOf } from '../../../src/features/traffic/request-recorder.js';

describe('createEventTypesOf', () => {
  const topicsOf = createEventTypesOf(describeOperations());

  it('returns the topics that a request changed, and none for a rejected or reading request', () => {
    assert.deepEqual(topicsOf({ operation: 'json-forms.createForm', status: 200 }), ['forms']);
    assert.deepEqual(topicsOf({ operation: 'profiles.createProfile', status: 200 }), ['profiles']);
    assert.deepEqual(topicsOf({ operation: 'adapters.createAdapter', status: 200 }), ['adapters']);
    assert.deepEqual(topicsOf({ operation: 'platform.refreshSecrets', status: 200 }), ['secrets']);
    assert.deepEqual(topicsOf({ operation: 'json-forms.createForm', status: 409 }), []);
    assert.deepEqual(topicsOf({ operation: 'json-forms.getForms', status: 200 }), []);
    assert.deepEqual(topicsOf({ operation: 'orchestrator-manager.restAction', status: 200 }), []);
    assert.deepEqual(topicsOf({ operation: '', status: 404 }), []);
  });

  it('returns deprecations for every call of a deprecated operation', () => {
    assert.deepEqual(topicsOf({ operation: 'deprecations.getActiveSessions', status: 410 }), [
      'deprecations',
    ]);
  });
});
