import assert from 'node:assert/strict';
import { request } from 'undici';
import { signInFaults } from '../../../src/auth/issuer-faults.js';
import { openIssuers } from '../../../src/auth/open-issuers.js';
import { openSignIns, type OwnedSignIns } from '../../../src/auth/sign-in/open-sign-ins.js';
import { createVerifier } from '../../../src/auth/verifier.js';
import { Secret } from '../../../src/domain/secret.js';
import type { IssuerSettings } from '../../../src/domain/settings.js';
import { type FinishedSignIn, SignInFailure } from '../../../src/domain/sign-in.js';
import { openHttpClient } from '../../../src/upstream/client.js';
import { memoryLog } from '../../support/memory-log.js';
import { type OidcProvider, startOidcProvider } from '../../support/oidc-provider.js';
import { manualClock, NOW } from '../fixtures.js';

const SECRET = new Secret('seal of the sign-ins of this test, 1');

describe('sign-ins at an identity provider', () => {
  const clock = manualClock();
  let provider: OidcProvider;
  const opened: OwnedSignIns[] = [];
  before(async () => {
    provider = await startOidcProvider({ now: () => clock.seconds });
    provider.redirectUri = 'http://127.0.0.1:1/console/oidc/callback';
  });
  beforeEach(() => {
    provider.mood = {};
    clock.seconds = NOW;
  });
  after(async () => {
    await Promise.all([...opened.splice(0).map((one) => one.close()), provider.close()]);
  });

  interface NodeOptions {
    readonly secret?: Secret;
    readonly signIn?: Partial<NonNullable<IssuerSettings['signIn']>>;
    readonly totalMs?: number;
    /** Issuers whose tokens the gate takes as well. */
    readonly others?: readonly IssuerSettings[];
  }

  const settingsOf = ({ url }: OidcProvider): IssuerSettings => ({
    ...{ issuer: url, audience: ['gatehouse'], algorithms: ['ES256'], discovery: true },
    ...{ rolesClaim: '/realm_access/roles', clockToleranceSeconds: 0, maxLifetimeSeconds: 3600 },
  });

  /** One node of gatehouse, as far as it matters here. */
  async function openNode(options: NodeOptions = {}): Promise<OwnedSignIns> {
    const { secret, signIn, totalMs = 5_000, others = [] } = options;
    const { id: clientId, secret: clientSecret } = provider.client;
    const settings: IssuerSettings = {
      ...settingsOf(provider),
      signIn: { clientId, clientSecret: new Secret(clientSecret), scopes: [], ...signIn },
    };
    const deps = { openHttpClient, clock, log: memoryLog().log };
    const { issuers, faults } = await openIssuers([settings, ...others], deps);
    assert.deepEqual(faults, []);
    const gate = createVerifier({ issuers, clock });
    const signIns = openSignIns(
      { issuers, publicUrl: 'http://127.0.0.1:1/', secret },
      { ...deps, gate, limits: { totalMs, replyBytes: 10_000 } },
    );
    opened.push(signIns);
    return signIns;
  }

  /** What a browser would bring back from the provider, for what it was sent there with. */
  async function agree(location: string): Promise<URLSearchParams> {
    const { body } = await request(location);
    const [, link = ''] = /href="([^"]*)"/.exec(await body.text()) ?? [];
    return new URL(link.replaceAll('&amp;', '&'), provider.url).searchParams;
  }

  async function signIn(node: OwnedSignIns, other = node): Promise<FinishedSignIn> {
    const { location, sealed } = await node.begin(provider.url, '/docs');
    return other.finish(await agree(location), sealed);
  }

  async function failureOf(trying: Promise<unknown>): Promise<string> {
    try {
      await trying;
    } catch (error) {
      if (error instanceof SignInFailure) return `${error.problem}: ${error.message}`;
      throw error;
    }
    return assert.fail('signed in');
  }

  it('end with a token that the gate takes, and where the person wanted to go', async () => {
    const { token, principal, returnTo } = await signIn(await openNode());
    assert.ok(provider.given.includes(token));
    assert.deepEqual([principal.subject, principal.roles, returnTo], ['f3b1-ada', ['net-admins'], '/docs']);
  });

  it('can end at another node that has the same secret, and at no other', async () => {
    const [one, same, another] = await Promise.all([
      openNode({ secret: SECRET }),
      openNode({ secret: SECRET }),
      openNode(),
    ]);
    assert.equal((await signIn(one, same)).returnTo, '/docs');
    assert.match(await failureOf(signIn(one, another)), /^state_mismatch/);
  });

  it('give up on a token endpoint that does not answer in time', async () => {
    const node = await openNode({ totalMs: 50 });
    provider.mood = { token: () => undefined };
    assert.match(await failureOf(signIn(node)), /^issuer_unavailable: the token endpoint: /);
  });

  it('show the secret as the provider wants it', async () => {
    provider.mood = { metadata: { token_endpoint_auth_methods_supported: ['client_secret_post'] } };
    await signIn(await openNode());
    const { authorization, form } = provider.tokenRequests.at(-1)!;
    assert.deepEqual(
      [authorization, form['client_id'], form['client_secret']],
      [undefined, provider.client.id, provider.client.secret],
    );
  });

  it('show the secret in the header where the provider takes it there', async () => {
    provider.mood = { metadata: { token_endpoint_auth_methods_supported: ['client_secret_basic'] } };
    await signIn(await openNode());
    assert.match(provider.tokenRequests.at(-1)!.authorization ?? '', /^Basic /);
  });

  it('give nobody a token of another issuer, though the gate takes it', async () => {
    const other = await startOidcProvider({ now: () => clock.seconds });
    try {
      provider.mood = { tokens: { access_token: await other.sign({ aud: 'gatehouse' }) } };
      const node = await openNode({ others: [settingsOf(other)] });
      assert.match(await failureOf(signIn(node)), /the access token \(it is of another issuer\)/);
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
      provider.mood = { token: (_request, response) => void response.writeHead(status).end('{}') };
      assert.match(await failureOf(signIn(await openNode())), new RegExp(`^${code}: .* ${status}$`));
    });

  it('are refused with a wrong secret of ours, which is told to nobody', async () => {
    const node = await openNode({ signIn: { clientSecret: new Secret('pw-that-is-wrong') } });
    const failure = await failureOf(signIn(node));
    assert.equal(failure, 'not_accepted: the token endpoint refuses with status 400');
  });

  it('prefer the token with roles', async () => {
    provider.mood = { access: { realm_access: {} }, id: { aud: [provider.client.id, 'gatehouse'] } };
    const { token, principal } = await signIn(await openNode());
    assert.equal(token, provider.given.at(-1));
    assert.deepEqual(principal.roles, ['net-admins']);
    provider.mood = { access: { realm_access: {} } };
    assert.deepEqual((await signIn(await openNode())).principal.roles, []);
  });

  it('say in the log why the gate takes nothing', async () => {
    provider.mood = { access: { aud: 'others' }, tokens: {} };
    assert.match(
      await failureOf(signIn(await openNode())),
      /^not_accepted: the gate takes neither the access token \(jwt audience invalid.*\) nor the id token \(.*\)$/,
    );
    provider.mood = { tokens: { access_token: undefined } };
    assert.match(await failureOf(signIn(await openNode())), /access token \(there is none\)/);
  });

  for (const [what, metadata, reason] of [
    ['another issuer', { issuer: 'https://other.test' }, /issuer is another one/],
    ['no token endpoint', { token_endpoint: undefined }, /has no token_endpoint/],
    [
      'an endpoint of another machine without TLS',
      { token_endpoint: 'http://idp.test/' },
      /neither https nor/,
    ],
    ['an endpoint with credentials', { authorization_endpoint: 'https://a:b@idp.test/' }, /is not https/],
    ['a script for an endpoint', { authorization_endpoint: 'javascript:alert(1)' }, /is not https/],
    ['no PKCE', { code_challenge_methods_supported: ['plain'] }, /no PKCE with S256/],
  ] as const)
    it(`do not begin at a provider that tells of ${what}`, async () => {
      provider.mood = { metadata };
      const node = await openNode();
      const failure = await failureOf(node.begin(provider.url, '/docs'));
      assert.match(failure, /^issuer_unavailable: /);
      assert.match(failure, reason);
      // Strangers can ask for it: the provider is left alone for a while, and then asked again.
      provider.mood = {};
      assert.equal(await failureOf(node.begin(provider.url, '/docs')), failure);
      clock.seconds += 5;
      await node.begin(provider.url, '/docs');
    });

  it('need no name of the issuer in the answer of a provider that does not send it', async () => {
    provider.mood = {
      metadata: { authorization_response_iss_parameter_supported: undefined },
      answer: { iss: undefined },
    };
    assert.equal((await signIn(await openNode())).returnTo, '/docs');
  });

  it('take one code, and no error beside it', async () => {
    const node = await openNode();
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
      const { location, sealed } = await node.begin(provider.url, '/docs');
      const query = await agree(location);
      change(query);
      assert.match(await failureOf(node.finish(query, sealed)), /^denied/);
    }
  });
});

describe('the settings of sign-ins', () => {
  const base = {
    ...{ issuer: 'https://idp.test', audience: ['a'], algorithms: ['ES256'], rolesClaim: '/roles' },
    ...{ clockToleranceSeconds: 0, maxLifetimeSeconds: 1 },
  };
  const signIn = { clientId: 'a', scopes: [] };
  const at = (...all: Parameters<typeof signInFaults>): readonly string[] =>
    signInFaults(...all).map(({ pointer, message }) => `${pointer} ${message}`);

  it('need discovery, and a public URL', () => {
    const found = { ...base, signIn, discovery: true as const };
    assert.deepEqual(at([found], 'https://gateway.test'), []);
    assert.deepEqual(at([found], null), ['/0/signIn needs server.publicUrl']);
    assert.deepEqual(at([base, { ...base, signIn, jwksUri: 'https://idp.test/keys' }], null), [
      '/1/signIn needs an issuer that is found by discovery',
    ]);
  });
});
