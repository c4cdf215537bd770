import assert from 'node:assert/strict';
import { actionBody, actionReplies } from '../../../src/features/orchestrator/action-bodies.js';
import { invalidAt, problem } from '../../support/failing.js';

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';

describe('actionBody', () => {
  it('is JSON for every media type but a form, and absent for {}', () => {
    for (const type of [undefined, 'application/json', 'application/yang-data+json', 'text/plain'])
      assert.equal(actionBody({ a: [1] }, type)?.toString(), '{"a":[1]}');
    for (const type of [undefined, FORM]) assert.equal(actionBody({}, type), undefined);
  });

  it('is the text of a body with so many values that none were made; such a form is refused', () => {
    assert.equal(actionBody({}, undefined, '{"a":1}')?.toString(), '{"a":1}');
    assert.equal(actionBody({}, undefined, '{ \n}'), undefined);
    assert.throws(() => actionBody({}, FORM, '{"a":1}'), problem('invalid_request', /too many values/));
  });

  it('is a form under the media type of a form', () => {
    const body = { name: 'a b&c', vlan: 7, on: true, tag: ['x', 'ü'], none: [] };
    for (const type of [FORM, 'Application/X-WWW-Form-Urlencoded; charset=UTF-8'])
      assert.equal(actionBody(body, type)?.toString(), 'name=a+b%26c&vlan=7&on=true&tag=x&tag=%C3%BC');
  });

  it('refuses each member that a form cannot carry', () => {
    const body = { ok: 1, 'a/b': { c: 1 }, none: null, list: [1, [2]] };
    const refused = () => actionBody(body, FORM);
    assert.throws(refused, problem('invalid_request', /^\/body\/a~1b must be a text/));
    assert.throws(refused, invalidAt('/body/a~1b', '/body/none', '/body/list'));
  });
});

const signal = new AbortController().signal;
const HEADERS = { location: '/sites/7' };

type Body = readonly [body: Buffer | string, type: string];

async function textOf(...bodies: readonly Body[]): Promise<string> {
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
