import assert from 'node:assert/strict';
import { checkReceivers } from '../../../src/server/state/build-main.js';
import type { ReceiverSettings } from '../../../src/settings/notifications.js';
import { columns } from '../../support/columns.js';

describe('checkReceivers', () => {
  it('refuses two receivers of one name', () => {
    const receivers = ['noc', 'chat', 'noc'].map((name) => ({ name }) as ReceiverSettings);
    assert.deepEqual(columns(checkReceivers({ receivers }), 'pointer', 'message'), [
      ['/notifications/receivers/2/name', '"noc" is the name of another receiver'],
    ]);
    assert.deepEqual(checkReceivers({ receivers: receivers.slice(0, 2) }), []);
  });
});
