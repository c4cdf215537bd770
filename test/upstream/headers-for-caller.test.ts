import assert from 'node:assert/strict';
import { createCallerHeaders } from '../../src/upstream/headers-for-caller.js';

const redact = (text: string) => text.replaceAll('s3cret', '[redacted]');
const callerHeaders = createCallerHeaders({
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

  it('removes the credentials of the adapter from each value', () => {
    assert.deepEqual(callerHeaders({ 'x-echo': ['a s3cret', 'b'], 'x-one': 's3cret' }), {
      'x-echo': ['a [redacted]', 'b'],
      'x-one': '[redacted]',
    });
  });

  it('converts a Location below a base URL to a path that the next call accepts', () => {
    for (const [location, path] of [
      ['https://inventory.example/api/v2/sites/7?full=1', '/sites/7?full=1'],
      ['https://standby.example/api/v2/sites/7', '/sites/7'],
      ['/api/v2/sites/7', '/sites/7'],
      ['sites/7', '/sites/7'],
      ['/api/v2/sites/7?key=s3cret', '/sites/7'],
    ] as const)
      assert.equal(locationFor(location, '/sites'), path);
  });

  it('makes any other Location absolute, and leaves it unchanged without the path of the request', () => {
    assert.equal(locationFor('/login', '/sites'), 'https://inventory.example/login');
    assert.equal(locationFor('https://elsewhere.example/x', '/sites'), 'https://elsewhere.example/x');
    assert.equal(locationFor('/devices/7'), '/devices/7');
  });
});
