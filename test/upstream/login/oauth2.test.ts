import assert from 'node:assert/strict';
import { openUpstream } from '../../../src/upstream/open-upstream.js';
import { upstreamFaults } from '../../../src/upstream/upstream-faults.js';
import { adapterSettings } from '../../support/adapter-settings.js';
import { problem } from '../../support/failing.js';
import { startGuardedOrchestrator } from '../../support/guarded-orchestrator.js';

const GET = { method: 'GET', path: '/data', headers: {} } as const;
const neverAborted = (): AbortSignal => new AbortController().signal;

describe('the client credentials of a token request', () => {
  const SECRET = 'a+b%c d';
  for (const [encoding, expected] of [
    ['form', 'ada:a%2Bb%25c+d'],
    ['json', `ada:${SECRET}`],
  ] as const)
    // prettier-ignore
    it(`are encoded for the encoding ${encoding}`, async () => {
      const orchestrator = await startGuardedOrchestrator({ demand: 'oauth2' });
      const auth = { type: 'oauth2', tokenUrl: `${orchestrator.url}/oauth/token`, clientId: 'ada', clientSecret: SECRET, encoding }; // prettier-ignore
      const upstream = openUpstream(adapterSettings({ baseUrl: orchestrator.url, auth }), {});
      await assert.rejects(upstream.send(GET, neverAborted()), problem('upstream_auth'));
      const [, credentials = ''] = orchestrator.arrivals[0]?.headers.authorization?.split(' ') ?? [];
      assert.equal(Buffer.from(credentials, 'base64').toString(), expected);
      await upstream.close();
      await orchestrator.close();
    });

  it('contain no colon in the client ID if they are not encoded', () => {
    const pointers = (encoding: string) => {
      const auth = { type: 'oauth2', tokenUrl: 'https://a.example/token', clientId: 'a:b', clientSecret: SECRET, encoding }; // prettier-ignore
      return upstreamFaults(adapterSettings({ baseUrl: 'https://a.example', auth })).map(
        ({ pointer }) => pointer,
      );
    };
    assert.deepEqual([pointers('json'), pointers('form')], [['/auth/clientId'], []]);
  });
});
