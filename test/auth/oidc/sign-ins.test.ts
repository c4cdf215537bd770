import assert from 'node:assert/strict';
import { openSignIns } from '../../../src/auth/oidc/sign-ins.js';
import { createVerifier } from '../../../src/auth/verifier.js';
import { Secret } from '../../../src/core/secret.js';
import { openHttpClient } from '../../../src/upstream/client.js';
import { makeCertificate } from '../../support/certificates.js';
import { manualClock } from '../fixtures.js';
import { failureOf, SignInBench } from './sign-in-bench.js';

const SECRET = new Secret('seal of the sign-ins of this test, 1');

describe('openSignIns', () => {
  const bench = new SignInBench();

  it('returns a token that the verifier accepts, and the requested page', async () => {
    const { token, principal, returnTo } = await bench.signIn(await bench.openNode());
    assert.ok(bench.provider.given.includes(token));
    assert.deepEqual([principal.subject, principal.roles, returnTo], ['f3b1-ada', ['net-admins'], '/docs']);
  });

  it('finishes a sign-in on another node with the same secret, and on no other node', async () => {
    const [one, same, another] = await Promise.all([
      bench.openNode({ secret: SECRET }),
      bench.openNode({ secret: SECRET }),
      bench.openNode(),
    ]);
    assert.equal((await bench.signIn(one, same)).returnTo, '/docs');
    assert.match(await failureOf(bench.signIn(one, another)), /^state_mismatch/);
  });

  it('fails when the token endpoint does not answer in time', async () => {
    const node = await bench.openNode({ totalMs: 500 });
    const { location, sealed } = await node.begin(bench.provider.url, '/docs');
    bench.provider.mood = { token: () => undefined };
    const finish = node.finish(await bench.agree(location), sealed);
    assert.match(await failureOf(finish), /^issuer_unavailable: the token endpoint: /);
  });

  it('sends the client secret in the form or in the header, as the provider requires', async () => {
    const requestWith = async (method: string) => {
      bench.provider.mood = { metadata: { token_endpoint_auth_methods_supported: [method] } };
      await bench.signIn(await bench.openNode());
      return bench.provider.tokenRequests.at(-1)!;
    };
    const { authorization, form } = await requestWith('client_secret_post');
    const { id, secret } = bench.provider.client;
    assert.deepEqual([authorization, form['client_id'], form['client_secret']], [undefined, id, secret]);
    assert.match((await requestWith('client_secret_basic')).authorization ?? '', /^Basic /);
  });

  for (const [status, code] of [
    [400, 'not_accepted'],
    [401, 'not_accepted'],
    [403, 'not_accepted'],
    [404, 'issuer_unavailable'],
    [500, 'issuer_unavailable'],
  ] as const)
    it(`fails with ${code} when the token endpoint answers ${status}`, async () => {
      bench.provider.mood = { token: (_request, response) => void response.writeHead(status).end('{}') };
      assert.match(await bench.failure(), new RegExp(`^${code}: .* ${status}$`));
    });

  it('fails with a wrong client secret without showing it', async () => {
    const node = await bench.openNode({ signIn: { clientSecret: new Secret('pw-that-is-wrong') } });
    const failure = await failureOf(bench.signIn(node));
    assert.equal(failure, 'not_accepted: the token endpoint refuses with status 401 (invalid_client)');
  });

  it('logs why the verifier rejects the tokens', async () => {
    bench.provider.mood = { access: { aud: 'others' }, tokens: {} };
    assert.match(
      await bench.failure({ issuer: { acceptIdTokens: true } }),
      /^not_accepted: the verifier accepts neither the access token \(jwt audience invalid.*\) nor the id token \(jwt audience invalid.*\)$/,
    );
    assert.match(
      await bench.failure(),
      /nor the id token \(the claims are those of an ID token, and acceptIdTokens is not set\)$/,
    );
    bench.provider.mood = { tokens: { access_token: undefined } };
    assert.match(await bench.failure(), /^not_accepted: .*"access_token"/);
  });

  for (const [what, metadata, reason] of [
    ['another issuer name', { issuer: 'https://other.test' }, /names another issuer/],
    ['no token endpoint', { token_endpoint: undefined }, /has no token_endpoint/],
    ['an endpoint by http', { token_endpoint: 'http://idp.test/' }, /neither https nor/],
    ['an endpoint with credentials', { authorization_endpoint: 'https://a:b@idp.test/' }, /is not https/],
    ['a script URL as endpoint', { authorization_endpoint: 'javascript:alert(1)' }, /is not https/],
    ['no PKCE', { code_challenge_methods_supported: ['plain'] }, /not support PKCE with S256/],
  ] as const)
    it(`rejects provider metadata with ${what}`, async () => {
      bench.provider.mood = { metadata };
      const node = await bench.openNode();
      const failure = await failureOf(node.begin(bench.provider.url, '/docs'));
      assert.match(failure, /^issuer_unavailable: /);
      assert.match(failure, reason);
      // Anonymous callers can trigger the request, so the provider gets a pause before the next request.
      bench.provider.mood = {};
      assert.equal(await failureOf(node.begin(bench.provider.url, '/docs')), failure);
      bench.clock.seconds += 5;
      await node.begin(bench.provider.url, '/docs');
    });

  it('accepts a callback without iss if the provider does not announce it', async () => {
    bench.provider.mood = {
      metadata: { authorization_response_iss_parameter_supported: undefined },
      answer: { iss: undefined },
    };
    assert.equal((await bench.signIn(await bench.openNode())).returnTo, '/docs');
  });

  it('rejects a callback with two codes, an empty code or an error', async () => {
    const node = await bench.openNode();
    for (const [change, name, value] of [
      ['append', 'code', 'another'],
      ['set', 'code', ''],
      ['set', 'error', 'server_error'],
    ] as const) {
      const { location, sealed } = await node.begin(bench.provider.url, '/docs');
      const query = await bench.agree(location);
      query[change](name, value);
      assert.match(await failureOf(node.finish(query, sealed)), /^denied/);
    }
  });

  for (const [what, mood, reason] of [
    [
      'without an id token',
      { tokens: { id_token: undefined } },
      'the token endpoint: "response" body "id_token" property must be a string',
    ],
    [
      'with the id token of another audience',
      { id: { aud: 'gatehouse' } },
      'the token endpoint: unexpected JWT "aud" (audience) claim value',
    ],
    [
      'with the nonce of another sign-in',
      { id: { nonce: 'another' } },
      'the token endpoint: unexpected ID Token "nonce"',
    ],
    [
      'without a nonce',
      { id: { nonce: undefined } },
      'the token endpoint: JWT "nonce" (nonce) claim missing',
    ],
    ['with another authorized party', { id: { azp: 'other' } }, 'the id token is for another party'],
  ] as const)
    // prettier-ignore
    it(`rejects a token reply ${what}`, async () => {
      bench.provider.mood = mood;
      const failure = await bench.failure();
      assert.ok(failure.startsWith(`not_accepted: ${reason}`), failure);
    });

  it('rejects a callback with another, a missing or a duplicate iss', async () => {
    const node = await bench.openNode();
    const another = 'issuer_mismatch: the response names another issuer, or no issuer';
    const asked = bench.provider.tokenRequests.length;
    for (const iss of ['https://other.test', `${bench.provider.url}/`, '', undefined]) {
      bench.provider.mood = { answer: { iss } };
      assert.equal(await failureOf(bench.signIn(node)), another);
      assert.equal(bench.provider.tokenRequests.length, asked);
    }
    bench.provider.mood = {};
    const { location, sealed } = await node.begin(bench.provider.url, '/docs');
    const query = await bench.agree(location);
    query.append('iss', bench.provider.url);
    assert.equal(await failureOf(node.finish(query, sealed)), another);
  });

  it('rejects a token reply that is not a JSON object', async () => {
    bench.provider.mood = { token: (_request, response) => void response.writeHead(200).end('[]') };
    assert.match(await bench.failure(), /^issuer_unavailable: the token endpoint: ./);
  });

  it('sends no secret without one and requests the configured scopes', async () => {
    const signIn: object = { clientSecret: undefined, scopes: ['net', 'openid', 'mail'] };
    const node = await bench.openNode({ signIn });
    const { location } = await node.begin(bench.provider.url, '/docs');
    assert.equal(new URL(location).searchParams.get('scope'), 'openid net mail');
    assert.match(await failureOf(bench.signIn(node)), /refuses with status 401 \(invalid_client\)$/);
    const { authorization, form } = bench.provider.tokenRequests.at(-1)!;
    assert.equal(authorization, undefined);
    assert.deepEqual([form['client_id'], 'client_secret' in form], [bench.provider.client.id, false]);
  });

  it('offers each provider under its configured name or its host', async () => {
    const { url } = bench.provider;
    const named = await bench.openNode({ signIn: { name: 'The net' } });
    assert.deepEqual(named.providers, [{ issuer: url, name: 'The net' }]);
    assert.deepEqual((await bench.openNode()).providers, [{ issuer: url, name: new URL(url).host }]);
    assert.equal(named.publicOrigin, 'http://127.0.0.1:1');
  });

  it('rejects a sign-in at any other issuer', async () => {
    const node = await bench.openNode({
      others: [{ ...bench.settingsOf(bench.provider), issuer: 'https://other.test' }],
    });
    for (const issuer of ['https://other.test', 'https://none.test'])
      assert.equal(
        await failureOf(node.begin(issuer, '/docs')),
        'issuer_unknown: this issuer has no sign-in',
      );
    const clock = manualClock();
    const gate = createVerifier({ issuers: [], clock });
    const none = openSignIns({ issuers: [], publicUrl: null }, { openHttpClient, clock, gate });
    assert.deepEqual([none.publicOrigin, none.providers], ['', []]);
  });

  it('keeps the issuer and the requested page of a failed sign-in', async () => {
    bench.provider.mood = { token: (_request, response) => void response.writeHead(500).end() };
    const node = await bench.openNode();
    await assert.rejects(bench.signIn(node), {
      context: { issuer: bench.provider.url, returnTo: '/docs' },
      message: 'the token endpoint answers with status 500',
    });
  });

  it("reports the provider's error with its description, in printable characters", async () => {
    const error_description = 'Pushed\nrequest \u202eonly';
    bench.provider.mood = { answer: { code: undefined, error: 'invalid_request', error_description } };
    assert.equal(
      await bench.failure(),
      'denied: the issuer returned the error invalid_request: Pushed?request ?only',
    );
  });

  it('caches the provider metadata for ten minutes', async () => {
    const node = await bench.openNode();
    await node.begin(bench.provider.url, '/docs');
    bench.provider.mood = { metadata: { token_endpoint: undefined } };
    bench.clock.seconds += 599;
    await node.begin(bench.provider.url, '/docs');
    bench.clock.seconds += 1;
    assert.match(await failureOf(node.begin(bench.provider.url, '/docs')), /has no token_endpoint/);
  });

  it('uses the CA of the issuer and closes its client', async () => {
    const { cert } = await makeCertificate({ ip: '127.0.0.1' });
    const node = await bench.openNode({ issuer: { caFile: new Secret(cert) } }, false);
    const [keys, signIns] = bench.clients.opened;
    assert.deepEqual([keys, signIns], [{ tls: { ca: cert } }, { tls: { ca: cert } }]);
    assert.equal(bench.clients.closed, 0);
    await node.close();
    assert.equal(bench.clients.closed, 1);
  });
});
