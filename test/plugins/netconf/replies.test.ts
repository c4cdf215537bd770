import assert from 'node:assert/strict';
import { bytesReply, jsonReply, withWarnings } from '../../../plugins/netconf/replies.js';

describe('the warnings of a server in a reply', () => {
  it('are beside the output of an operation', () => {
    const reply = withWarnings(bytesReply(jsonReply({ 'm:output': { a: '1' } })), ['w', 'w', 'x']);
    assert.deepEqual(JSON.parse(reply.body.toString()), { warnings: ['w', 'x'], 'm:output': { a: '1' } });
    assert.equal(reply.status, 200);
  });
});
