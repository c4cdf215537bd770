import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { plugin } from '../../../plugins/http-rest/index.js';
import type { RestCall } from '../../../src/core/adapter.js';
import { Problem } from '../../../src/core/problem.js';
import { Secret } from '../../../src/core/secret.js';
import { openedByTest } from '../../support/opened.js';
import { createRestconfDouble } from '../../support/restconf-double.js';
import { answering, contextFor, sendAll, sendTo } from '../send.js';

const query: RestCall = { kind: 'query', method: 'GET', path: '/a?b=c%2Fd', accept: 'text/plain' };
const body = Buffer.from('{"n": 1.0}');
const { context } = contextFor(answering(500));

describe('the http-rest plugin', () => {
  const opened = openedByTest();

  it('keeps path, method and accept, and sends no content-type without a body', () => {
    const adapter = plugin.create({}, context);
    assert.deepEqual(adapter.translate({ ...query, contentType: 'text/plain' }), [
      { method: 'GET', path: '/a?b=c%2Fd', headers: { accept: 'text/plain' } },
    ]);
  });

  it('keeps every byte of the body, with the type JSON unless the caller sets a type', () => {
    const adapter = plugin.create({}, context);
    const [plain] = adapter.translate({ ...query, kind: 'action', method: 'PUT', body });
    assert.equal(plain.body, body);
    assert.equal(plain.headers['content-type'], 'application/json');
    const contentType = 'application/merge-patch+json';
    const [typed] = adapter.translate({ ...query, method: 'PATCH', contentType, body });
    assert.equal(typed.headers['content-type'], contentType);
  });

  it('sends the configured headers to the orchestrator', async () => {
    const double = await opened(createRestconfDouble({ username: 'u', password: 'p', tls: false }));
    const headers = { 'X-Tenant': new Secret('blue'), 'x-api-key': new Secret('s3cret key') };
    const adapter = plugin.create({ headers }, context);
    const call = { ...query, path: '/restconf/yang-library-version', accept: '*/*' };
    const reply = await sendAll(sendTo({ url: double.url, login: 'u:p' }), adapter.translate(call));
    assert.equal(reply.status, 200);
    assert.equal(double.requests[0]?.headers['x-tenant'], 'blue');
    assert.equal(double.requests[0].headers['x-api-key'], 's3cret key');
  });

  it('refuses values that no header can carry, without repeating them', () => {
    for (const value of ['hunter2\r\nx: y', 'hunter2\n', ' hunter2', 'hünter2', '\0hunter2', ''])
      assert.throws(
        () => plugin.create({ headers: { 'x-key': new Secret(value) } }, context),
        (error) =>
          error instanceof Problem && !inspect(error).includes('unter2') && error.message.includes('x-key'),
        JSON.stringify(value),
      );
  });

  it('refuses a header in two spellings', () => {
    const headers = { 'X-Key': new Secret('a'), 'x-key': new Secret('b') };
    assert.throws(() => plugin.create({ headers }, context), /'x-key' of options.headers occurs twice/);
  });
});
