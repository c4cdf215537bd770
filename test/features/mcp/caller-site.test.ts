import assert from 'node:assert/strict';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { requireOwnSite, serverOriginOf } from '../../../src/features/mcp/caller-site.js';
import { problem } from '../../support/failing.js';

const SITE = {
  publicUrl: 'https://gatehouse.example.com',
  hosts: ['Internal.example'],
  origins: ['https://portal.example'],
};

function request(headers: Record<string, string>): IncomingMessage {
  return Object.assign(new IncomingMessage(new Socket()), { headers });
}

describe('requireOwnSite', () => {
  const isOwn = (headers: Record<string, string>): boolean => {
    try {
      requireOwnSite(request(headers), SITE);
      return true;
    } catch (error) {
      problem('forbidden', headers['origin'] === undefined ? /./ : /may not call this server/)(error);
      return false;
    }
  };

  const LOCAL = ['localhost:3000', '127.0.0.1:3000', '192.0.2.1', '[::1]:3000'];
  const OWN = ['gatehouse.example.com', 'GATEHOUSE.example.com:8443', 'internal.example:3000'];
  for (const host of [...OWN, ...LOCAL])
    it(`accepts the host ${host}`, () => {
      assert.ok(isOwn({ host }));
    });

  const ALIKE = ['gatehouse.example.com.evil.example', '127.0.0.1.evil.example'];
  for (const host of ['evil.example', ...ALIKE, '', '[::1'])
    it(`rejects the host "${host}"`, () => {
      assert.ok(!isOwn({ host }));
    });

  for (const [origin, expected] of [
    ['https://gatehouse.example.com', true],
    ['https://portal.example', true],
    ['http://localhost:3000', true],
    ['null', false],
    ['https://evil.example', false],
    ['https://portal.example.evil.example', false],
    ['http://localhost:3001', false],
  ] as const)
    it(`${expected ? 'accepts' : 'rejects'} pages of ${origin}`, () => {
      assert.equal(isOwn({ host: 'localhost:3000', origin }), expected);
    });
});

describe('serverOriginOf', () => {
  it('returns the configured origin, or that of the request', () => {
    const req = request({ host: '127.0.0.1:3000' });
    assert.equal(serverOriginOf(req, 'https://gatehouse.example.com/'), 'https://gatehouse.example.com');
    assert.equal(serverOriginOf(req, null), 'http://127.0.0.1:3000');
  });
});
