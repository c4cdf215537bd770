import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

/** Deviations of the provider from its default behavior. */
export interface ShellProviderMood {
  /** False: the metadata has no device authorization endpoint. */
  readonly offersDevice?: boolean;
  /** Error of the device authorization endpoint. */
  readonly deviceError?: string;
  /** What the person decides on the device page; default: to agree. */
  readonly decision?: 'agree' | 'deny';
  /** Lifetime of access tokens in seconds; default: 300. */
  readonly lifeSeconds?: number;
  /** Audience of access tokens; default: `gatehouse`. */
  readonly audience?: string;
}

/**
 * An OpenID provider on loopback for a command line: device authorization grant (RFC 8628), authorization code
 * with PKCE and a redirect to any port of this machine (RFC 8252), refresh tokens that are used once, and
 * revocation (RFC 7009). It has one public client, which must use PKCE, and one person.
 */
export interface ShellProvider {
  /** `http://localhost:port`, also the name of the issuer. */
  readonly url: string;
  readonly clientId: string;
  mood: ShellProviderMood;
  /** Forms of the requests to the token endpoint. */
  readonly tokenRequests: readonly Readonly<Record<string, string>>[];
  /** Tokens that were revoked. */
  readonly revoked: readonly string[];
  close(): Promise<void>;
}

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

export async function startShellProvider(): Promise<ShellProvider> {
  const clientId = 'gatehouse-cli';
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'k1', alg: 'ES256', use: 'sig' };
  const tokenRequests: Readonly<Record<string, string>>[] = [];
  const revoked: string[] = [];
  /** PKCE challenge and nonce by code; refresh tokens that were not used. */
  const codes = new Map<string, { readonly challenge: string; readonly nonce?: string }>();
  const refreshTokens = new Set<string>();
  const polled = new Set<string>();
  let url = '';
  const provider: Pick<ShellProvider, 'mood'> = { mood: {} };

  const metadata = (): object => ({
    issuer: url,
    authorization_endpoint: `${url}/authorize`,
    token_endpoint: `${url}/token`,
    jwks_uri: `${url}/jwks`,
    revocation_endpoint: `${url}/revoke`,
    ...(provider.mood.offersDevice !== false && { device_authorization_endpoint: `${url}/device` }),
    response_types_supported: ['code'],
    id_token_signing_alg_values_supported: ['ES256'],
    code_challenge_methods_supported: ['S256'],
  });

  async function tokensFor(nonce?: string): Promise<object> {
    const { lifeSeconds = 300, audience = 'gatehouse' } = provider.mood;
    const now = Math.floor(Date.now() / 1000);
    const sign = (claims: object): Promise<string> =>
      new SignJWT({
        iss: url,
        sub: 'ada',
        iat: now,
        exp: now + lifeSeconds,
        jti: randomUUID(),
        roles: ['admin'],
        ...claims,
      })
        .setProtectedHeader({ alg: 'ES256', kid: 'k1' })
        .sign(privateKey);
    const refreshToken = `refresh-${randomUUID()}`;
    refreshTokens.add(refreshToken);
    return {
      token_type: 'Bearer',
      expires_in: lifeSeconds,
      access_token: await sign({ aud: audience }),
      id_token: await sign({ aud: clientId, ...(nonce !== undefined && { nonce }) }),
      refresh_token: refreshToken,
    };
  }

  /** Returns the response of the token endpoint, or its error. */
  async function exchange(form: Readonly<Record<string, string>>): Promise<object | string> {
    tokenRequests.push(form);
    if (form['client_id'] !== clientId) return 'invalid_client';
    if (form['grant_type'] === 'refresh_token')
      return refreshTokens.delete(form['refresh_token'] ?? '') ? tokensFor() : 'invalid_grant';
    const isDevice = form['grant_type'] === DEVICE_GRANT;
    const code = (isDevice ? form['device_code'] : form['code']) ?? '';
    const grant = codes.get(code);
    if (grant?.challenge !== challengeOf(form['code_verifier'] ?? '')) return 'invalid_grant';
    const pending = isDevice ? decisionOf(code) : undefined;
    if (pending !== undefined) return pending;
    codes.delete(code);
    return tokensFor(grant.nonce);
  }

  /** Returns the error of a poll, until the person has agreed: after the first poll. */
  function decisionOf(code: string): string | undefined {
    if (provider.mood.decision === 'deny') return 'access_denied';
    const isFirst = !polled.has(code);
    polled.add(code);
    return isFirst ? 'authorization_pending' : undefined;
  }

  function startDevice(form: Readonly<Record<string, string>>): object | string {
    if (provider.mood.deviceError !== undefined) return provider.mood.deviceError;
    if (form['code_challenge_method'] !== 'S256') return 'invalid_request';
    const code = randomUUID();
    codes.set(code, { challenge: form['code_challenge'] ?? '' });
    const user = { user_code: 'ABCD-EFGH', verification_uri: `${url}/code` };
    const complete = `${url}/code?user_code=ABCD-EFGH`;
    // The interval is short, so that tests do not wait.
    return {
      ...user,
      verification_uri_complete: complete,
      device_code: code,
      expires_in: 600,
      interval: 0.01,
    };
  }

  function authorize(query: URLSearchParams, response: http.ServerResponse): void {
    const redirectUri = query.get('redirect_uri') ?? '';
    const isLoopback = /^http:\/\/127\.0\.0\.1:\d+\/callback$/.test(redirectUri);
    if (!isLoopback || query.get('code_challenge_method') !== 'S256')
      return void response.writeHead(400).end('not a request of the client');
    const code = randomUUID();
    codes.set(code, { challenge: query.get('code_challenge') ?? '', nonce: query.get('nonce') ?? '' });
    const back = new URLSearchParams({ code, state: query.get('state') ?? '' });
    response.writeHead(302, { location: `${redirectUri}?${back.toString()}` }).end();
  }

  async function answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', url);
    if (request.method === 'GET') {
      if (pathname === '/.well-known/openid-configuration') json(response, metadata());
      else if (pathname === '/jwks') json(response, { keys: [jwk] });
      else if (pathname === '/authorize') authorize(searchParams, response);
      else response.writeHead(404).end();
      return;
    }
    const form = await formOf(request);
    if (pathname === '/token') reply(response, await exchange(form));
    else if (pathname === '/device') reply(response, startDevice(form));
    else if (pathname === '/revoke') {
      revoked.push(form['token'] ?? '');
      refreshTokens.delete(form['token'] ?? '');
      json(response, {});
    } else response.writeHead(404).end();
  }

  const server = http.createServer((request, response) => void answer(request, response));
  server.listen(0, 'localhost');
  await once(server, 'listening');
  url = `http://localhost:${(server.address() as AddressInfo).port}`;
  return Object.assign(provider, {
    url,
    clientId,
    tokenRequests,
    revoked,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  });
}

function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}

async function formOf(request: http.IncomingMessage): Promise<Readonly<Record<string, string>>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()));
}

function reply(response: http.ServerResponse, answered: object | string): void {
  if (typeof answered === 'string') json(response, { error: answered }, 400);
  else json(response, answered);
}

function json(response: http.ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
