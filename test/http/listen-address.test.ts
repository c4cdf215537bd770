import assert from 'node:assert/strict';
import { formatAddress, listenError, parseListen } from '../../src/http/listen-address.js';

describe('listen address', () => {
  for (const [text, host, port] of [
    ['127.0.0.1:3000', '127.0.0.1', 3000],
    ['localhost:0', 'localhost', 0],
    ['[::1]:65535', '::1', 65535],
  ] as const)
    it(`reads and writes ${text}`, () => {
      assert.deepEqual(parseListen(text), { host, port });
      assert.equal(formatAddress({ host, port }), text);
    });

  for (const text of [
    '',
    '3000',
    ':3000',
    'host',
    'host:',
    'host:65536',
    '::1:3000',
    '[::1]',
    'http://a:1',
    'a b:1',
    'a:-1',
  ])
    it(`refuses ${JSON.stringify(text)} and shows the form`, () => {
      assert.throws(
        () => parseListen(text),
        /Write host:port, for example 127\.0\.0\.1:3000 or \[::1\]:3000\./,
      );
    });

  for (const [code, advice] of [
    ['EADDRINUSE', /stop it, or set server\.listen to another port/],
    ['EACCES', /above 1023/],
    ['EADDRNOTAVAIL', /does not have that address/],
    ['EIO', /The system says EIO/],
  ] as const)
    it(`says what to do about ${code}`, () => {
      const error = listenError({ host: '::1', port: 80 }, Object.assign(new Error('x'), { code }));
      assert.match(error.message, /^Cannot listen on \[::1\]:80\. /);
      assert.match(error.message, advice);
    });
});
