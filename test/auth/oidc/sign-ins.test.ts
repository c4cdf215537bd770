import assert from 'node:assert/strict';
import { signInFaults } from '../../../src/auth/issuer-faults.js';
import { openSignIns } from '../../../src/auth/oidc/sign-ins.js';
import { createVerifier } from '../../../src/auth/verifier.js';
import { Secret } from '../../../src/core/secret.js';
import { openHttpClient } from '../../../src/upstream/client.js';
import { makeCertificate } from '../../support/certificates.js';
import { memoryLog } from '../../support/memory-log.js';
import { startOidcProvider } from '../../support/oidc-provider.js';
import { manualClock } from '../fixtures.js';
import { failureOf, SignInBench } from './sign-in-bench.js';

const SECRET = new Secret('seal of the sign-ins of this test, 1');

describe('sign-ins at an identity provider', () => {
  const bench = new SignInBench();

  it('end with a token that the gate takes, and where the person wanted to go', async () => {
    const { token, principal, returnTo } = await bench.signIn(await bench.openNode());
    assert.ok(bench.provider.given.includes(token));
    assert.deepEqual([principal.subject, principal.roles, returnTo], ['f3b1-ada', ['net-admins'], '/docs']);
  });

  it('can end at another node that has the same secret, and at no other', async () => {
    const [one, same, another] = await Promise.all([
      bench.openNode({ secret: SECRET }),
      bench.openNode({ secret: SECRET }),
      bench.openNode(),
    ]);
    assert.equal((await bench.signIn(one, same)).returnTo, '/docs');
    assert.match(await failureOf(bench.signIn(one, another)), /^state_mismatch/);
  });

  it('give up on a token endpoint that does not answer in time', async () => {
    const node = await bench.openNode({ totalMs: 50 });
    bench.provider.mood = { token: () => undefined };
    assert.match(await failureOf(bench.signIn(node)), /^issuer_unavailable: the token endpoint: /);
  });

  it('show the secret as the provider wants it', async () => {
    bench.provider.mood = { metadata: { token_endpoint_auth_methods_supported: ['client_secret_post'] } };
    await bench.signIn(await bench.openNode());
    const { authorization, form } = bench.provider.tokenRequests.at(-1)!;
    assert.deepEqual(
      [authorization, form['client_id'], form['client_secret']],
      [undefined, bench.provider.client.id, bench.provider.client.secret],
    );
  });

  it('show the secret in the header where the provider takes it there', async () => {
    bench.provider.mood = { metadata: { token_endpoint_auth_methods_supported: ['client_secret_basic'] } };
    await bench.signIn(await bench.openNode());
    assert.match(bench.provider.tokenRequests.at(-1)!.authorization ?? '', /^Basic /);
  });

  it('give nobody a token of another issuer, though the gate takes it', async () => {
    const other = await startOidcProvider({ now: () => bench.clock.seconds });
    try {
      bench.provider.mood = { tokens: { access_token: await other.sign({ aud: 'gatehouse' }) } };
      const node = await bench.openNode({ others: [bench.settingsOf(other)] });
      assert.match(await failureOf(bench.signIn(node)), /the access token \(from another issuer\)/);
    } finally {
      await other.close();
    }
  });

  for (const [status, code] of [
    [400, 'not_accepted'],
    [401, 'not_accepted'],
    [403, 'not_accepted'],
    [404, 'issuer_unavailable'],
    [500, 'issuer_unavailable'],
  ] as const)
    it(`end as ${code} when the token endpoint answers ${status}`, async () => {
      bench.provider.mood = { token: (_request, response) => void response.writeHead(status).end('{}') };
      assert.match(
        await failureOf(bench.signIn(await bench.openNode())),
        new RegExp(`^${code}: .* ${status}$`),
      );
    });

  it('are refused with a wrong secret of ours, which is told to nobody', async () => {
    const node = await bench.openNode({ signIn: { clientSecret: new Secret('pw-that-is-wrong') } });
    const failure = await failureOf(bench.signIn(node));
    assert.equal(failure, 'not_accepted: the token endpoint refuses with status 400');
  });

  it('prefer the token with roles', async () => {
    bench.provider.mood = {
      access: { realm_access: {} },
      id: { aud: [bench.provider.client.id, 'gatehouse'] },
    };
    const { token, principal } = await bench.signIn(await bench.openNode());
    assert.equal(token, bench.provider.given.at(-1));
    assert.deepEqual(principal.roles, ['net-admins']);
    bench.provider.mood = { access: { realm_access: {} } };
    assert.deepEqual((await bench.signIn(await bench.openNode())).principal.roles, []);
  });

  it('say in the log why the gate takes nothing', async () => {
    bench.provider.mood = { access: { aud: 'others' }, tokens: {} };
    assert.match(
      await failureOf(bench.signIn(await bench.openNode())),
      /^not_accepted: the verifier accepts neither the access token \(jwt audience invalid.*\) nor the id token \(jwt audience invalid.*\)$/,
    );
    bench.provider.mood = { tokens: { access_token: undefined } };
    assert.match(await failureOf(bench.signIn(await bench.openNode())), /access token \(missing\)/);
  });

  for (const [what, metadata, reason] of [
    ['another issuer', { issuer: 'https://other.test' }, /names another issuer/],
    ['no token endpoint', { token_endpoint: undefined }, /has no token_endpoint/],
    [
      'an endpoint of another machine without TLS',
      { token_endpoint: 'http://idp.test/' },
      /neither https nor/,
    ],
    ['an endpoint with credentials', { authorization_endpoint: 'https://a:b@idp.test/' }, /is not https/],
    ['a script for an endpoint', { authorization_endpoint: 'javascript:alert(1)' }, /is not https/],
    ['no PKCE', { code_challenge_methods_supported: ['plain'] }, /not support PKCE with S256/],
  ] as const)
    it(`do not begin at a provider that tells of ${what}`, async () => {
      bench.provider.mood = { metadata };
      const node = await bench.openNode();
      const failure = await failureOf(node.begin(bench.provider.url, '/docs'));
      assert.match(failure, /^issuer_unavailable: /);
      assert.match(failure, reason);
      // Anonymous callers can trigger the request: the provider gets a pause before the next request.
      bench.provider.mood = {};
      assert.equal(await failureOf(node.begin(bench.provider.url, '/docs')), failure);
      bench.clock.seconds += 5;
      await node.begin(bench.provider.url, '/docs');
    });

  it('need no name of the issuer in the answer of a provider that does not send it', async () => {
    bench.provider.mood = {
      metadata: { authorization_response_iss_parameter_supported: undefined },
      answer: { iss: undefined },
    };
    assert.equal((await bench.signIn(await bench.openNode())).returnTo, '/docs');
  });

  it('take one code, and no error beside it', async () => {
    const node = await bench.openNode();
    for (const change of [
      (query: URLSearchParams) => {
        query.append('code', 'another');
      },
      (query: URLSearchParams) => {
        query.set('code', '');
      },
      (query: URLSearchParams) => {
        query.set('error', 'server_error');
      },
    ]) {
      const { location, sealed } = await node.begin(bench.provider.url, '/docs');
      const query = await bench.agree(location);
      change(query);
      assert.match(await failureOf(node.finish(query, sealed)), /^denied/);
    }
  });

  for (const [what, mood, reason] of [
    ['no id token', { tokens: { id_token: undefined } }, 'the response has no id_token'],
    ['one for somebody else', { id: { aud: 'gatehouse' } }, 'the id token: jwt audience invalid'],
    ['one of another sign-in', { id: { nonce: 'another' } }, 'the id token has another nonce'],
    ['one of none', { id: { nonce: undefined } }, 'the id token has another nonce'],
    ['one that another party asked for', { id: { azp: 'other' } }, 'the id token is for another party'],
  ] as const)
    it(`are refused with ${what}`, async () => {
      bench.provider.mood = mood;
      const failure = await failureOf(bench.signIn(await bench.openNode()));
      assert.ok(failure.startsWith(`not_accepted: ${reason}`), failure);
    });

  it('take an id token that says that it is ours', async () => {
    bench.provider.mood = { id: { azp: bench.provider.client.id } };
    assert.equal((await bench.signIn(await bench.openNode())).returnTo, '/docs');
  });

  it('take no answer of another issuer, of two, or of none where it always says who it is', async () => {
    const node = await bench.openNode();
    const another = 'issuer_mismatch: the response names another issuer, or no issuer';
    for (const iss of ['https://other.test', undefined]) {
      bench.provider.mood = { answer: { iss } };
      assert.equal(await failureOf(bench.signIn(node)), another);
    }
    bench.provider.mood = {};
    const { location, sealed } = await node.begin(bench.provider.url, '/docs');
    const query = await bench.agree(location);
    query.append('iss', bench.provider.url);
    assert.equal(await failureOf(node.finish(query, sealed)), another);
  });

  it('are no good with an answer of the token endpoint that is no JSON object', async () => {
    bench.provider.mood = { token: (_request, response) => void response.writeHead(200).end('[]') };
    const failure = await failureOf(bench.signIn(await bench.openNode()));
    assert.match(failure, /^issuer_unavailable: the token endpoint: ./);
  });

  it('show no secret where there is none, and ask for the scopes of the configuration', async () => {
    const signIn: object = { clientSecret: undefined, scopes: ['net', 'openid', 'mail'] };
    const node = await bench.openNode({ signIn });
    const { location } = await node.begin(bench.provider.url, '/docs');
    assert.equal(new URL(location).searchParams.get('scope'), 'openid net mail');
    assert.match(await failureOf(bench.signIn(node)), /refuses with status 400$/);
    const { authorization, form } = bench.provider.tokenRequests.at(-1)!;
    assert.equal(authorization, undefined);
    assert.deepEqual([form['client_id'], 'client_secret' in form], [bench.provider.client.id, false]);
  });

  it('are offered under a name, which is the host unless it is told', async () => {
    const { url } = bench.provider;
    const named = await bench.openNode({ signIn: { name: 'The net' } });
    assert.deepEqual(named.providers, [{ issuer: url, name: 'The net' }]);
    assert.deepEqual((await bench.openNode()).providers, [{ issuer: url, name: new URL(url).host }]);
    assert.equal(named.publicOrigin, 'http://127.0.0.1:1');
  });

  it('begin nowhere else', async () => {
    const node = await bench.openNode({
      others: [{ ...bench.settingsOf(bench.provider), issuer: 'https://other.test' }],
    });
    for (const issuer of ['https://other.test', 'https://none.test'])
      assert.equal(
        await failureOf(node.begin(issuer, '/docs')),
        'issuer_unknown: this issuer has no sign-in',
      );
    const none = openSignIns(
      { issuers: [], publicUrl: null },
      {
        openHttpClient,
        clock: manualClock(),
        log: memoryLog().log,
        gate: createVerifier({ issuers: [], clock: manualClock() }),
      },
    );
    assert.deepEqual([none.publicOrigin, none.providers], ['', []]);
  });

  it('that fail are in the log, and tell where the person wanted to go', async () => {
    bench.provider.mood = { token: (_request, response) => void response.writeHead(500).end() };
    const node = await bench.openNode();
    await assert.rejects(bench.signIn(node), { returnTo: '/docs' });
    assert.deepEqual(
      bench.log.lines.map(({ level, message, fields }) => [level, message, fields]),
      [
        [
          'warn',
          'a sign-in failed',
          {
            issuer: bench.provider.url,
            problem: 'issuer_unavailable',
            reason: 'the token endpoint answers with status 500',
          },
        ],
      ],
    );
  });

  it('ask what the provider says of itself once in ten minutes', async () => {
    const node = await bench.openNode();
    await node.begin(bench.provider.url, '/docs');
    bench.provider.mood = { metadata: { token_endpoint: undefined } };
    bench.clock.seconds += 599;
    await node.begin(bench.provider.url, '/docs');
    bench.clock.seconds += 1;
    assert.match(await failureOf(node.begin(bench.provider.url, '/docs')), /has no token_endpoint/);
  });

  it('ask over TLS with the CA of the issuer, and leave no connection behind', async () => {
    const { cert } = await makeCertificate({ ip: '127.0.0.1' });
    const node = await bench.openNode({ issuer: { caFile: new Secret(cert) } }, false);
    const [keys, signIns] = bench.clients.opened;
    assert.deepEqual([keys, signIns], [{ tls: { ca: cert } }, { tls: { ca: cert } }]);
    assert.equal(bench.clients.closed, 0);
    await node.close();
    assert.equal(bench.clients.closed, 1);
  });
});

describe('the settings of sign-ins', () => {
  const base = {
    issuer: 'https://idp.test',
    audience: ['a'],
    algorithms: ['ES256'],
    rolesClaim: '/roles',
    clockToleranceSeconds: 0,
    maxLifetimeSeconds: 1,
  };
  const signIn = { clientId: 'a', scopes: [] };
  const at = (...all: Parameters<typeof signInFaults>): readonly string[] =>
    signInFaults(...all).map(({ pointer, message }) => `${pointer} ${message}`);

  it('need discovery, and a public URL', () => {
    const found = { ...base, signIn, discovery: true as const };
    assert.deepEqual(at([found], 'https://gateway.test'), []);
    assert.deepEqual(at([found], null), ['/0/signIn needs server.publicUrl']);
    assert.deepEqual(at([base, { ...base, signIn, jwksUri: 'https://idp.test/keys' }], null), [
      '/1/signIn needs an issuer with discovery',
    ]);
  });
});
