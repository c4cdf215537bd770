import assert from 'node:assert/strict';
import { Problem } from '../../src/core/problem.js';
import { afterSending, boundedMemory, createReplyMemories } from '../../src/core/reply-memory.js';

/** Returns the problem of a resize that is refused. */
function refusalOf(memory: { readonly resize: (bytes: number) => void }, bytes: number): Problem {
  try {
    memory.resize(bytes);
  } catch (error) {
    assert.ok(error instanceof Problem, String(error));
    return error;
  }
  return assert.fail('there is no problem');
}

describe('the memory for replies', () => {
  it('refuses a reply beyond it with 503 and Retry-After', () => {
    const memories = createReplyMemories(1000);
    memories.open('a').open().resize(700);
    const { code, status, extras } = refusalOf(memories.open('b').open(), 301);
    assert.deepEqual([code, status, extras.headers], ['overloaded', 503, { 'retry-after': '1' }]);
    assert.equal(memories.reserved, 700);
  });

  it('keeps a quarter free from the replies of one adapter', () => {
    const memories = createReplyMemories(1000);
    memories.open('a').open().resize(750);
    assert.equal(refusalOf(memories.open('a').open(), 1).code, 'overloaded');
    memories.open('b').open().resize(250);
  });

  it('adds the replies of one call, and frees all of them together', () => {
    const memories = createReplyMemories(1000);
    const call = memories.open('a');
    const [first, second] = [call.open(), call.open()];
    first.resize(300);
    second.resize(200);
    first.resize(100);
    assert.equal(memories.reserved, 300);
    call.release();
    assert.equal(memories.reserved, 0);
  });

  it('bounds the replies of one search together', () => {
    const excess = new Problem('upstream_too_large', 'too much');
    const search = boundedMemory(createReplyMemories(1000).open('a'), 500, () => excess);
    const [first, second] = [search.open(), search.open()];
    first.resize(400);
    assert.equal(refusalOf(second, 101), excess);
    first.resize(399);
    second.resize(101);
  });

  it('does not invite to repeat a change whose request was sent', () => {
    const refused = new Problem('overloaded', 'No room.', { headers: { 'retry-after': '1' } });
    assert.equal(afterSending(refused, 'GET'), refused);
    const { message, extras } = afterSending(refused, 'POST');
    assert.deepEqual([message, extras.headers], ['No room. The request was sent.', {}]);
    assert.match(extras.advice ?? '', /^Check the orchestrator/);
  });
});
