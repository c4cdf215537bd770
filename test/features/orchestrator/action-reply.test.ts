import assert from 'node:assert/strict';
import { actionReplies } from '../../../src/features/orchestrator/action-bodies.js';

const signal = new AbortController().signal;
const HEADERS = { location: '/sites/7' };

async function textOf(
  ...bodies: readonly (readonly [body: Buffer | string, type: string])[]
): Promise<string> {
  const replies = bodies.map(([body, type]) => ({
    reply: { status: 201, headers: { 'content-type': type }, body: Buffer.from(body) },
    headers: HEADERS,
  }));
  const list = await actionReplies(replies, signal);
  if ('rawJson' in list) return list.rawJson.toString();
  const pieces: Buffer[] = [];
  for await (const piece of list.jsonPieces) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces).toString();
}

const HEAD = '{"result":"201","headers":{"location":"/sites/7"}';
const JSON_TYPE = 'application/json';
const LARGE = 300_000;

describe('actionReplies', () => {
  it('passes JSON on byte for byte, and text as a string', async () => {
    const json = '{ "id": 12345678901234567890, "n": 1.0 }';
    assert.equal(
      await textOf([json, JSON_TYPE], ['do"ne', 'text/plain'], ['', JSON_TYPE]),
      `[${HEAD},"body":${json}},${HEAD},"body":"do\\"ne"},${HEAD},"body":""}]`,
    );
  });

  it('gives a body that is not valid JSON as a string, and one that is not text in base64', async () => {
    assert.equal(await textOf(['{broken', JSON_TYPE]), `[${HEAD},"body":"{broken"}]`);
    assert.equal(await textOf([Buffer.from([0xff, 0x00]), 'image/png']), `[${HEAD},"bodyBase64":"/wA="}]`);
    assert.equal(await textOf(['ä', 'text/plain; charset=no-such']), `[${HEAD},"bodyBase64":"w6Q="}]`);
  });

  it('gives large bodies the same way, beside small ones', async () => {
    const json = JSON.stringify({ items: 'x'.repeat(LARGE) });
    const text = 'y"'.repeat(LARGE);
    assert.equal(
      await textOf([json, JSON_TYPE], [text, 'text/plain'], ['1', JSON_TYPE]),
      `[${HEAD},"body":${json}},${HEAD},"body":${JSON.stringify(text)}},${HEAD},"body":1}]`,
    );
    const binary = Buffer.alloc(LARGE + 1, 0xff);
    assert.equal(
      await textOf([binary, 'application/zip']),
      `[${HEAD},"bodyBase64":"${binary.toString('base64')}"}]`,
    );
  });
});
