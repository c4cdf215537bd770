import assert from 'node:assert/strict';
import { openIssuers } from '../../../src/auth/issuers.js';
import { createIssuerChecks } from '../../../src/auth/oidc/issuer-check.js';
import type { OpenHttpClient } from '../../../src/core/http.js';
import { silentLog } from '../../../src/core/log.js';
import { Secret } from '../../../src/core/secret.js';
import { systemScheduler } from '../../../src/lib/clock.js';
import type { IssuerSettings } from '../../../src/settings/settings.js';
import { openHttpClient } from '../../../src/upstream/client.js';
import { type OidcProvider, startOidcProvider } from '../../support/oidc-provider.js';
import { ISSUER_SETTINGS } from '../fixtures.js';

const REDIRECT_URI = 'http://127.0.0.1:1/console/oidc/callback';

const SIGN_IN = { clientId: 'console', scopes: [], timeoutSeconds: 10, endSession: true };

describe('createIssuerChecks', () => {
  let provider: OidcProvider;
  before(async () => {
    provider = await startOidcProvider();
    provider.redirectUri = REDIRECT_URI;
  });
  after(() => provider.close());
  beforeEach(() => {
    provider.mood = {};
  });

  /** Checks the issuer with these settings. Returns each finding as `pointer code: message | fix`. */
  async function check(
    settings: Partial<IssuerSettings> = {},
    triesClient = false,
    open: OpenHttpClient = openHttpClient,
  ): Promise<readonly string[]> {
    const whole: IssuerSettings = {
      ...ISSUER_SETTINGS,
      issuer: provider.url,
      discovery: true,
      signIn: { ...SIGN_IN, clientSecret: new Secret(provider.client.secret) },
      ...settings,
    };
    const deps = { openHttpClient: open, clock: systemScheduler };
    const { issuers } = await openIssuers([whole], { ...deps, log: silentLog });
    const checks = createIssuerChecks(issuers, { ...deps, publicUrl: 'http://127.0.0.1:1' });
    const findings = await Promise.all(checks.map((one) => one.run({ triesClient })));
    await Promise.all(issuers.map(({ keys }) => keys.close()));
    return findings
      .flat()
      .map(
        ({ pointer, code, message, fix, isWarning }) =>
          `${isWarning ? 'warning ' : ''}${pointer} ${code}: ${message} | ${fix}`,
      );
  }

  const find = async (...sent: Parameters<typeof check>): Promise<string> => (await check(...sent))[0] ?? '';

  it('finds nothing wrong with an issuer that works', async () => {
    assert.deepEqual(await check(), []);
    assert.deepEqual(await check({}, true), []);
  });

  it('names the trailing slash that the configuration has and the issuer has not', async () => {
    assert.deepEqual(await check({ issuer: `${provider.url}/` }), [
      `/issuers/0/issuer issuer_name: is not the issuer in its metadata, "${provider.url}": the trailing slash differs` +
        ` | Write issuer: ${provider.url} - tokens contain the issuer in this spelling.`,
    ]);
  });

  it('names http where the configuration has https', async () => {
    const found = await find({ issuer: provider.url.replace('http:', 'https:') });
    assert.match(
      found,
      /^\/issuers\/0\/issuer issuer_name: has no metadata: .* does not speak TLS on this port/,
    );
    assert.ok(found.endsWith(`Write issuer: ${provider.url} - it answers there.`), found);
  });

  it('names another realm, without repeating a text that is no URL', async () => {
    provider.mood = { metadata: { issuer: 'https://idp.example/realms/lab' } };
    assert.match(await find(), /"https:\/\/idp\.example\/realms\/lab"/);
    provider.mood = { metadata: { issuer: 'Call 0123 for help' } };
    const found = await find();
    assert.match(
      found,
      /issuer_name: has metadata with no issuer, or an issuer that is not an https address/,
    );
    assert.doesNotMatch(found, /0123/);
  });

  it('names the realm of a path without metadata', async () => {
    const found = await find({ issuer: `${provider.url}/realms/Net` });
    assert.match(found, /issuer_metadata: has no metadata: .* answers with status 404 \| .* realm, "Net"/);
  });

  it('reports an issuer that does not answer', async () => {
    const found = await find({ issuer: 'http://127.0.0.1:1' });
    assert.match(found, /issuer_unreachable: has no metadata: .* refuses connections/);
  });

  it('reports algorithms without a key: a fault for all of them, a warning for some', async () => {
    assert.deepEqual(await check({ algorithms: ['RS256'] }), [
      '/issuers/0/algorithms issuer_keys: has RS256, for which the issuer publishes no key | ' +
        'The keys of the issuer are for ES256. List the algorithms with which the issuer signs its access tokens.',
    ]);
    assert.match(await find({ algorithms: ['RS256', 'ES256'] }), /^warning .* has RS256, for which/);
  });

  const keysOnly = (jwksUri: string, more: object = {}): Partial<IssuerSettings> =>
    ({ jwksUri, discovery: undefined, signIn: undefined, ...more }) as never;

  it('checks the keys of an issuer without discovery', async () => {
    assert.deepEqual(await check(keysOnly(`${provider.url}/jwks`)), []);
    assert.match(
      await find(keysOnly(`${provider.url}/nothing`)),
      /^\/issuers\/0\/jwksUri issuer_keys: has no keys: .* answers with status 404/,
    );
  });

  it('reports keys that are not found for an issuer whose name is not a URL', async () => {
    const settings = keysOnly(`${provider.url}/nothing`, { issuer: 'ci-pipeline' });
    assert.match(await find(settings), /issuer_keys: has no keys: .* answers with status 404/);
  });

  it('reports metadata without PKCE S256, and without a usable endpoint', async () => {
    provider.mood = { metadata: { code_challenge_methods_supported: ['plain'] } };
    assert.match(await find(), /^\/issuers\/0\/signIn issuer_pkce: needs PKCE with S256/);
    provider.mood = { metadata: { code_challenge_methods_supported: undefined } };
    assert.deepEqual(await check(), []);
    provider.mood = { metadata: { token_endpoint: 'http://idp.example/token' } };
    assert.match(await find(), /issuer_metadata: .*token_endpoint/);
  });

  it('gives each request of the client the time-out of its sign-in (bug: 5 seconds, whatever the settings)', async () => {
    const limits: (readonly [path: string, ms: number])[] = [];
    const open: OpenHttpClient = (options) => {
      const http = openHttpClient(options);
      return {
        ...http,
        send: (request, terms, signal) => {
          limits.push([new URL(request.url).pathname, terms.totalMs]);
          return http.send(request, terms, signal);
        },
      };
    };
    const signIn = { ...SIGN_IN, timeoutSeconds: 42, clientSecret: new Secret(provider.client.secret) };
    assert.deepEqual(await check({ signIn }, true, open), []);
    const paths = new Set(limits.flatMap(([path, ms]) => (ms === 42_000 ? [path] : [])));
    assert.deepEqual([...paths].filter((path) => !path.includes('.well-known')).sort(), [
      '/authorize',
      '/token',
    ]);
  });

  it('reports a redirect URI that the issuer does not know', async () => {
    provider.redirectUri = 'http://127.0.0.1:2/console/oidc/callback';
    try {
      assert.deepEqual(await check({}, true), [
        `/issuers/0/signIn/clientId issuer_redirect_uri: is refused by the issuer with status 400, with the redirect URI ${REDIRECT_URI}` +
          ' | Register the client "console" at the issuer, with exactly this redirect URI.',
      ]);
      assert.deepEqual(await check(), []);
    } finally {
      provider.redirectUri = REDIRECT_URI;
    }
  });

  it('reports an error that the issuer sends to the redirect URI', async () => {
    provider.mood = { silent: 'invalid_scope' };
    assert.match(
      await find({}, true),
      /issuer_client: is refused by the issuer with the error invalid_scope/,
    );
    provider.mood = { silent: 'login_required' };
    assert.deepEqual(await check({}, true), []);
  });

  it('reports a client secret that the issuer refuses, and never shows it', async () => {
    const signIn = { ...SIGN_IN, clientSecret: new Secret('another-secret-99') };
    const found = await find({ signIn }, true);
    assert.match(
      found,
      /^\/issuers\/0\/signIn\/clientSecret issuer_client_secret: is refused by the issuer \(invalid_client\)/,
    );
    assert.doesNotMatch(found, /another-secret/);
  });

  it('asks no issuer whose keys are in the configuration', async () => {
    const settings = {
      discovery: undefined,
      signIn: undefined,
      secret: new Secret('s'.repeat(32)),
      algorithms: ['HS256'],
    };
    assert.deepEqual(await check(settings as never), []);
  });
});
