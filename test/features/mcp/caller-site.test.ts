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
  const check = (headers: Record<string, string>) => () => {
    requireOwnSite(request(headers), SITE);
  };
  const ofPage = (origin: string) => check({ host: 'localhost:3000', origin });

  for (const host of [
    'gatehouse.example.com',
    'GATEHOUSE.example.com:8443',
    'internal.example:3000',
    'localhost:3000',
    '127.0.0.1:3000',
    '192.0.2.1',
    '[::1]:3000',
  ])
    it(`accepts the host ${host}`, check({ host }));

  for (const host of [
    'evil.example',
    'gatehouse.example.com.evil.example',
    '127.0.0.1.evil.example',
    '',
    '[::1',
  ])
    it(`rejects the host "${host}"`, () => {
      assert.throws(check({ host }), problem('forbidden'));
    });

  for (const origin of ['https://gatehouse.example.com', 'https://portal.example', 'http://localhost:3000'])
    it(`accepts pages of ${origin}`, ofPage(origin));

  for (const origin of [
    'null',
    'https://evil.example',
    'https://portal.example.evil.example',
    'http://localhost:3001',
  ])
    it(`rejects pages of ${origin}`, () => {
      assert.throws(ofPage(origin), problem('forbidden', /may not call this server/));
    });
});

describe('serverOriginOf', () => {
  it('returns the configured origin, or that of the request', () => {
    const req = request({ host: '127.0.0.1:3000' });
    assert.equal(serverOriginOf(req, 'https://gatehouse.example.com/'), 'https://gatehouse.example.com');
    assert.equal(serverOriginOf(req, null), 'http://127.0.0.1:3000');
  });
});
