import assert from 'node:assert/strict';
import type http from 'node:http';
import { ClientFailure } from '../../../src/auth/oidc/client-failure.js';
import type { OidcClient } from '../../../src/auth/oidc/client-types.js';
import { openOidcClient } from '../../../src/auth/oidc/client.js';
import { Secret } from '../../../src/core/secret.js';
import { systemClock } from '../../../src/lib/clock.js';
import { openHttpClient } from '../../../src/upstream/client.js';
import { type JwksServer, startJwksServer } from '../../support/jwks-server.js';

interface SentForm {
  readonly path: string;
  readonly form: Readonly<Record<string, string>>;
  readonly authorization: string | undefined;
}

type Replies = Readonly<
  Record<string, (form: Readonly<Record<string, string>>) => [number, object | string]>
>;

describe('openOidcClient', () => {
  let server: JwksServer;
  let url = '';
  let replies: Replies = {};
  let metadata: object = {};
  const sent: SentForm[] = [];
  const clients: OidcClient[] = [];

  before(async () => {
    server = await startJwksServer();
    ({ url } = server);
    server.answer((request, response) => void answer(request, response));
  });

  beforeEach(() => {
    sent.splice(0);
    replies = {};
    metadata = {
      issuer: url,
      authorization_endpoint: `${url}/authorize`,
      token_endpoint: `${url}/token`,
      device_authorization_endpoint: `${url}/device`,
      revocation_endpoint: `${url}/revoke`,
      introspection_endpoint: `${url}/introspect`,
      end_session_endpoint: `${url}/end`,
    };
  });

  after(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await server.close();
  });

  async function answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const path = request.url ?? '';
    if (path === '/.well-known/openid-configuration') {
      reply(response, 200, metadata);
      return;
    }
    const form = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()));
    sent.push({ path, form, authorization: request.headers.authorization });
    const [status, body] = replies[path]?.(form) ?? [404, {}];
    reply(response, status, body);
  }

  function reply(response: http.ServerResponse, status: number, body: object | string): void {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    response.writeHead(status, { 'content-type': 'application/json' }).end(text);
  }

  function open(secret?: string): OidcClient {
    const clientSecret = secret === undefined ? undefined : new Secret(secret);
    const client = openOidcClient(
      { issuer: url, clientId: 'net ops', clientSecret },
      { openHttpClient, clock: systemClock },
    );
    clients.push(client);
    return client;
  }

  async function failureOf(trying: Promise<unknown>): Promise<string> {
    const error: unknown = await trying.catch((failure: unknown) => failure);
    assert.ok(error instanceof ClientFailure);
    return `${error.kind} ${error.error ?? ''}: ${error.message}`;
  }

  it('signs in at a shell by the device flow', async () => {
    let polls = 0;
    const code = { device_code: 'd1', user_code: 'WDJB-MJHT', expires_in: 60, interval: 1 };
    const links = { verification_uri: `${url}/link`, verification_uri_complete: `${url}/link?c=WDJB-MJHT` };
    replies = {
      '/device': () => [200, { ...code, ...links }],
      '/token': () => {
        polls += 1;
        if (polls === 1) return [400, { error: 'authorization_pending' }];
        return [200, { access_token: 'a1', token_type: 'Bearer', expires_in: 300, refresh_token: 'r1' }];
      },
    };
    const started = await open().startDeviceAuthorization('openid profile');
    assert.deepEqual(
      [started.userCode, started.verificationUri, started.verificationUriComplete, started.expiresIn],
      ['WDJB-MJHT', `${url}/link`, `${url}/link?c=WDJB-MJHT`, 60],
    );
    assert.deepEqual(await started.tokens(), { accessToken: 'a1', refreshToken: 'r1', expiresIn: 300 });
    const asked = sent.map(({ path, form }) => [path, form['client_id'], form['grant_type']]);
    const poll = ['/token', 'net ops', 'urn:ietf:params:oauth:grant-type:device_code'];
    assert.deepEqual(asked, [['/device', 'net ops', undefined], poll, poll]);
  });

  it('refreshes, asks about and revokes a token with its credentials in the header', async () => {
    replies = {
      '/token': () => [200, { access_token: 'a2', token_type: 'bearer' }],
      '/introspect': ({ token }) => [200, { active: token === 'a2' }],
      '/revoke': () => [200, ''],
    };
    const client = open('s-e.c r%t');
    assert.deepEqual(await client.refresh('r1'), { accessToken: 'a2' });
    assert.deepEqual([await client.isActive('a2'), await client.isActive('a1')], [true, false]);
    await client.revoke('r1');
    const basic = Buffer.from('net+ops:s-e.c+r%25t').toString('base64');
    for (const { authorization, form } of sent) {
      assert.equal(authorization, `Basic ${basic}`);
      assert.equal(form['client_secret'], undefined);
    }
    assert.deepEqual(
      sent.map(({ path, form }) => [path, form['refresh_token'] ?? form['token']]),
      [
        ['/token', 'r1'],
        ['/introspect', 'a2'],
        ['/introspect', 'a1'],
        ['/revoke', 'r1'],
      ],
    );
  });

  it('distinguishes a refusal from a provider that does not work', async () => {
    const client = open();
    for (const [response, failure] of [
      [[400, { error: 'invalid_grant', error_description: 'secret text' }], 'refused invalid_grant'],
      [[401, 'no'], 'refused '],
      [[500, {}], 'unavailable '],
      [[200, 'no JSON'], 'unavailable '],
      [[200, {}], 'invalid '],
    ] as const) {
      replies = { '/token': () => [...response] };
      const text = await failureOf(client.refresh('r1'));
      assert.ok(text.startsWith(`${failure}:`), text);
      assert.ok(!text.includes('secret text') && !text.includes('r1'), text);
    }
  });

  it('returns the address of the sign-out, if there is one', async () => {
    const parameters = { id_token_hint: 'i', post_logout_redirect_uri: 'https://gateway.test/ui/sign-in' };
    const query = new URL((await open().endSessionUrl(parameters)) ?? '').searchParams;
    assert.deepEqual(Object.fromEntries(query), { ...parameters, client_id: 'net ops' });
    metadata = { ...metadata, end_session_endpoint: undefined, revocation_endpoint: undefined };
    const client = open();
    assert.equal(await client.endSessionUrl(parameters), undefined);
    await client.revoke('r1');
    assert.deepEqual(sent, []);
  });

  it('refuses metadata with an endpoint on another host by http', async () => {
    metadata = { ...metadata, introspection_endpoint: 'http://idp.test/' };
    assert.match(await failureOf(open().metadata()), /^unavailable .*neither https/);
  });
});
