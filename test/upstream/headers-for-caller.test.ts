import assert from 'node:assert/strict';
import { forwardedReplyHeaders } from '../../src/core/header.js';
import { createCallerHeaders } from '../../src/upstream/headers-for-caller.js';

const redact = (text: string) => text.replaceAll('s3cret', '[redacted]');
const forwarded = forwardedReplyHeaders(['X-Echo', 'x-list', 'x-count']);
const callerHeaders = createCallerHeaders({
  forwarded,
  bases: [
    { origin: 'https://inventory.example', path: '/api/v2' },
    { origin: 'https://standby.example', path: '/api/v2' },
  ],
  parameter: 'key',
  redact,
});
const locationFor = (location: string, path?: string) => callerHeaders({ location }, path)['location'];

describe('createCallerHeaders', () => {
  it('leaves out cookies, headers of the connection and the coding of the body', () => {
    const headers = {
      'content-type': 'application/json',
      etag: '"1"',
      'set-cookie': ['session=1'],
      connection: 'close',
      'transfer-encoding': 'chunked',
      'content-length': '9',
      'content-encoding': 'gzip',
      'proxy-authenticate': 'Basic',
    };
    assert.deepEqual(callerHeaders(headers, '/sites'), { 'content-type': 'application/json', etag: '"1"' });
  });

  it('finding N8: leaves out what neither the list nor the setting of the adapter names', () => {
    const headers = { 'x-accel-redirect': '/a', 'www-authenticate': 'Basic', 'x-other': 'a', 'X-Count': '7' };
    assert.deepEqual(callerHeaders(headers), { 'x-count': '7' });
  });

  it('removes the credentials of the adapter from each value', () => {
    assert.deepEqual(callerHeaders({ 'x-echo': ['a s3cret', 'b'], warning: 's3cret' }), {
      'x-echo': ['a [redacted]', 'b'],
      warning: '[redacted]',
    });
  });

  it('converts a Location below a base URL to a path that the next call accepts', () => {
    for (const [location, path] of [
      ['https://inventory.example/api/v2/sites/7?full=1', '/sites/7?full=1'],
      ['https://standby.example/api/v2/sites/7', '/sites/7'],
      ['/api/v2/sites/7', '/sites/7'],
      ['sites/7', '/sites/7'],
      ['https://inventory.example/api/v2', '/'],
      ['https://inventory.example/api/v2?full=1', '/?full=1'],
      ['/api/v2/sites/7?key=s3cret', '/sites/7'],
    ] as const)
      assert.equal(locationFor(location, '/sites'), path);
  });

  it('finds the base URL of an absolute path among several', () => {
    const moved = createCallerHeaders({
      forwarded,
      bases: [
        { origin: 'https://old.example', path: '/v1' },
        { origin: 'https://new.example', path: '/v2' },
      ],
      parameter: undefined,
      redact,
    });
    assert.deepEqual(moved({ location: '/v2/sites/7' }, '/sites'), { location: '/sites/7' });
  });

  it('takes the headers of a transport without types', () => {
    const headers = { 'Set-Cookie': 'session=1', ETag: '"1"', 'x-count': 7, 'x-list': ['a', null] };
    assert.deepEqual(callerHeaders(headers as unknown as Record<string, string>), {
      etag: '"1"',
      'x-list': ['a'],
    });
  });

  it('makes any other Location absolute, and leaves it unchanged without the path of the request', () => {
    assert.equal(locationFor('/login', '/sites'), 'https://inventory.example/login');
    assert.equal(locationFor('https://elsewhere.example/x', '/sites'), 'https://elsewhere.example/x');
    assert.equal(locationFor('/devices/7'), '/devices/7');
  });
});
