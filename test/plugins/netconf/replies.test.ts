import assert from 'node:assert/strict';
import { bytesReply, emptyReply, jsonReply, withWarnings } from '../../../plugins/netconf/replies.js';

describe('the warnings of a server in a reply', () => {
  it('are beside the output of an operation', () => {
    const reply = withWarnings(bytesReply(jsonReply({ 'm:output': { a: '1' } })), ['w', 'w', 'x']);
    assert.deepEqual(JSON.parse(reply.body.toString()), { warnings: ['w', 'x'], 'm:output': { a: '1' } });
    assert.equal(reply.status, 200);
  });

  it('are the body of a reply without one, whose status and headers stay', () => {
    const { status, headers, body } = withWarnings(emptyReply(201, { location: '/a' }), ['w']);
    assert.deepEqual(JSON.parse(body.toString()), { warnings: ['w'] });
    assert.deepEqual(
      [status, headers],
      [201, { location: '/a', 'content-type': 'application/yang-data+json' }],
    );
  });

  it('change nothing where there are none', () => {
    const reply = emptyReply(204);
    assert.equal(withWarnings(reply, []), reply);
  });
});
