import assert from 'node:assert/strict';
import { Problem } from '../../../src/core/problem.js';
import { toToolResult } from '../../../src/features/mcp/tool-result.js';
import { jsonResponse, problemResponse } from '../../../src/http/response.js';

const LIMITS = { maxBytes: 10, narrow: 'Ask for a deeper path.' };

describe('toToolResult', () => {
  it('returns a short response as one text', async () => {
    const result = await toToolResult(jsonResponse({ body: { a: 1 } }, 'id'), LIMITS);
    assert.deepEqual(result, { content: [{ type: 'text', text: '{"a":1}' }], isError: false });
  });

  it('says that a response was cut, how long it is, and how to ask for less', async () => {
    const { content } = await toToolResult(jsonResponse({ body: 'x'.repeat(20) }, 'id'), LIMITS);
    assert.equal(content[0]?.text, '"xxxxxxxxx');
    assert.match(content[1]?.text ?? '', /not complete.* 22 bytes.* first 10 .*Ask for a deeper path\.$/);
  });

  it('cuts no character in two', async () => {
    const { content } = await toToolResult(jsonResponse({ body: 'ääääääää' }, 'id'), LIMITS);
    assert.equal(content[0]?.text, '"ääää');
  });

  it('ends a response in pieces at the limit', async () => {
    let [made, isEnded] = [0, false];
    async function* pieces(): AsyncGenerator<string> {
      try {
        for (; ; made += 1) yield await Promise.resolve('abcdef');
      } finally {
        isEnded = true;
      }
    }
    const response = jsonResponse({ body: { jsonPieces: pieces() } }, 'id');
    const { content } = await toToolResult(response, LIMITS);
    assert.equal(content[0]?.text, 'abcdefabcd');
    assert.match(content[1]?.text ?? '', /more than 10 bytes/);
    assert.deepEqual([made, isEnded], [1, true]);
  });

  it('returns a problem as an error', async () => {
    const problem = new Problem('adapter_not_found', 'there is no adapter "x"');
    const response = problemResponse(problem, { instance: '/mcp', requestId: 'id' });
    const result = await toToolResult(response, { ...LIMITS, maxBytes: 10_000 });
    assert.equal(result.isError, true);
    assert.match(result.content[0]?.text ?? '', /"code":"adapter_not_found"/);
  });
});
