import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeJwt, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

/** Deviations of the provider from correct behavior. */
export interface Mood {
  /** Overrides members of the metadata; `undefined` removes a member. */
  metadata?: Readonly<Record<string, unknown>>;
  /** Overrides parameters of the redirect to the client; `undefined` removes a parameter. */
  answer?: Readonly<Record<string, string | undefined>>;
  /** Error of a redirect for a request that must show no page (`prompt=none`); default: `login_required`. */
  silent?: string;
  /** Overrides claims of the tokens. */
  access?: JWTPayload;
  id?: JWTPayload;
  /** Overrides members of the token response; `undefined` removes a member. */
  tokens?: Readonly<Record<string, unknown>>;
  /** Lifetime of the tokens, in seconds; default: 300. */
  lifeSeconds?: number;
  /** Replaces the token endpoint. */
  token?: (request: http.IncomingMessage, response: http.ServerResponse) => void;
}

/** A request to the token endpoint. */
export interface TokenRequest {
  readonly authorization: string | undefined;
  readonly form: Readonly<Record<string, string>>;
}

/**
 * An OpenID provider on loopback: discovery, authorization with a page to be clicked, token endpoint with
 * PKCE, key set.
 */
export interface OidcProvider {
  /** `http://localhost:port`, also the name of the issuer. Another site than 127.0.0.1. */
  readonly url: string;
  readonly client: { readonly id: string; readonly secret: string };
  /** The only URL to which the provider redirects browsers. */
  redirectUri: string;
  mood: Mood;
  readonly tokenRequests: readonly TokenRequest[];
  /** Paths of all requests so far. */
  readonly requests: readonly string[];
  /** Issued tokens, unmodified. */
  readonly given: readonly string[];
  /** Refresh tokens that were used; each may be used once. */
  readonly refreshed: readonly string[];
  /** Authorization requests, as their parameters. */
  readonly authorizations: readonly URLSearchParams[];
  /** Number of requests to the introspection endpoint. */
  introspections: number;
  /** Ends all sessions, without notice to the client. */
  endSessions(): void;
  /** Signs a logout token; overrides its claims and its header. */
  logoutToken(claims: JWTPayload, header?: Readonly<Record<string, string>>): Promise<string>;
  /** `sid` of the latest sign-in. */
  readonly latestSid: () => string;
  /** Signs a token with the key of the provider, without a sign-in. */
  sign(claims: JWTPayload): Promise<string>;
  close(): Promise<void>;
}

/** The authorization request of the person, kept until its code is exchanged. */
interface Grant {
  readonly challenge: string;
  readonly nonce: string;
  readonly redirectUri: string;
  readonly sid: string;
}

export interface ProviderOptions {
  readonly client?: OidcProvider['client'];
  /** Seconds since 1970; the machine's when absent. */
  readonly now?: () => number;
}

const PERSON = { sub: 'f3b1-ada', realm_access: { roles: ['net-admins'] } };

/** Starts a provider with one client and one user without a password. */
export async function startOidcProvider(options: ProviderOptions = {}): Promise<OidcProvider> {
  const { client = { id: 'console', secret: 'pw-of-the-client-7d1e' } } = options;
  const now = options.now ?? (() => Math.floor(Date.now() / 1000));
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'k1', alg: 'ES256', use: 'sig' };
  const grants = new Map<string, Grant>();
  const given: string[] = [];
  const tokenRequests: TokenRequest[] = [];
  const refreshed: string[] = [];
  const authorizations: URLSearchParams[] = [];
  /** Session id by unused refresh token, and sessions that have not ended. */
  const refreshTokens = new Map<string, string>();
  const sessions = new Set<string>();
  let latestSid = '';
  const requests: string[] = [];
  let url = '';

  const provider: Pick<OidcProvider, 'redirectUri' | 'mood' | 'introspections'> = {
    redirectUri: '',
    mood: {},
    introspections: 0,
  };

  async function sign(claims: JWTPayload): Promise<string> {
    const whole = {
      iss: url,
      iat: now(),
      exp: now() + (provider.mood.lifeSeconds ?? 300),
      ...PERSON,
      ...claims,
    };
    const token = await new SignJWT(whole).setProtectedHeader({ alg: 'ES256', kid: 'k1' }).sign(privateKey);
    given.push(token);
    return token;
  }

  const metadata = (): object => ({
    issuer: url,
    authorization_endpoint: `${url}/authorize?tenant=net`,
    token_endpoint: `${url}/token`,
    jwks_uri: `${url}/jwks`,
    end_session_endpoint: `${url}/end-session`,
    introspection_endpoint: `${url}/introspect`,
    response_types_supported: ['code'],
    id_token_signing_alg_values_supported: ['ES256'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    ...provider.mood.metadata,
  });

  /** Serves the page on which the person agrees; an unknown client gets no details. */
  function authorize(query: URLSearchParams, response: http.ServerResponse): void {
    const wanted = { client_id: client.id, redirect_uri: provider.redirectUri, response_type: 'code' };
    const isRight =
      Object.entries(wanted).every(([name, value]) => query.get(name) === value) &&
      query.get('tenant') === 'net' &&
      query.get('code_challenge_method') === 'S256' &&
      (query.get('scope') ?? '').split(' ').includes('openid');
    if (!isRight) return void response.writeHead(400).end('not a request of the client');
    authorizations.push(query);
    if (query.get('prompt') === 'none') {
      const error = {
        error: provider.mood.silent ?? 'login_required',
        state: query.get('state') ?? '',
        iss: url,
      };
      const location = `${provider.redirectUri}?${new URLSearchParams(error).toString()}`;
      return void response.writeHead(303, { location }).end();
    }
    const code = randomUUID();
    const [challenge = '', nonce = ''] = ['code_challenge', 'nonce'].map((name) => query.get(name) ?? '');
    const sid = randomUUID();
    grants.set(code, { challenge, nonce, redirectUri: provider.redirectUri, sid });
    const back: Readonly<Record<string, string | undefined>> = {
      code,
      state: query.get('state') ?? '',
      iss: url,
      ...provider.mood.answer,
    };
    const named = Object.entries(back).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, value]],
    );
    const target = `/agree?${new URLSearchParams(named).toString()}`.replaceAll('&', '&amp;');
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<a href="${target}">I agree</a>`);
  }

  async function exchange(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const form = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()));
    const { authorization } = request.headers;
    tokenRequests.push({ authorization, form });
    if (provider.mood.token) {
      provider.mood.token(request, response);
      return;
    }
    if (form['grant_type'] === 'refresh_token') {
      const sid = useRefreshToken(form['refresh_token'] ?? '');
      if (sid === undefined || !isClient(authorization, form))
        json(response, { error: 'invalid_grant' }, 400);
      else json(response, await tokensOf(sid, {}));
      return;
    }
    const { code = '', code_verifier: verifier = '' } = form;
    const grant = grants.get(code);
    // A code is valid for one attempt, by any client.
    grants.delete(code);
    if (!isClient(authorization, form)) {
      json(response, { error: 'invalid_client' }, 401);
      return;
    }
    if (!grant || !isFor(grant, verifier, form)) {
      json(response, { error: 'invalid_grant' }, 400);
      return;
    }
    sessions.add(grant.sid);
    latestSid = grant.sid;
    json(response, await tokensOf(grant.sid, { nonce: grant.nonce }));
  }

  async function tokensOf(sid: string, idClaims: JWTPayload): Promise<object> {
    const { access = {}, id = {}, tokens = {}, lifeSeconds = 300 } = provider.mood;
    const refreshToken = `refresh-${randomUUID()}`;
    refreshTokens.set(refreshToken, sid);
    return {
      token_type: 'Bearer',
      expires_in: lifeSeconds,
      // Tokens that are signed within one second would otherwise be equal.
      access_token: await sign({ aud: 'gatehouse', sid, jti: randomUUID(), ...access }),
      id_token: await sign({ aud: client.id, sid, ...idClaims, ...id }),
      refresh_token: refreshToken,
      ...tokens,
    };
  }

  /** Returns the session of a refresh token. A token that is used twice ends its session, as with rotation. */
  function useRefreshToken(token: string): string | undefined {
    const sid = refreshTokens.get(token) ?? '';
    if (refreshed.includes(token)) sessions.delete(sid);
    refreshed.push(token);
    return sessions.has(sid) ? sid : undefined;
  }

  /** Ends the session of the id token, and returns to the client. */
  function endSession(query: URLSearchParams, response: http.ServerResponse): void {
    const { sid } = decodeJwt(query.get('id_token_hint') ?? '');
    sessions.delete(String(sid));
    const back = query.get('post_logout_redirect_uri') ?? '';
    const { origin } = new URL(provider.redirectUri);
    if (back === `${origin}/ui/sign-in`) response.writeHead(302, { location: back }).end();
    else response.writeHead(400).end('not the address of the client');
  }

  async function introspect(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    provider.introspections += 1;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const form = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()));
    if (!isClient(request.headers.authorization, form)) {
      json(response, { error: 'invalid_client' }, 401);
      return;
    }
    const { sid } = decodeJwt(form['token'] ?? '');
    json(response, { active: sessions.has(String(sid)) });
  }

  function isFor(grant: Grant, verifier: string, form: Readonly<Record<string, string>>): boolean {
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    return (
      grant.challenge === challenge &&
      form['grant_type'] === 'authorization_code' &&
      form['redirect_uri'] === grant.redirectUri
    );
  }

  function isClient(authorization: string | undefined, form: Readonly<Record<string, string>>): boolean {
    const expected = `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`;
    if (client.secret === '') return authorization === undefined && form['client_id'] === client.id;
    return authorization === expected || form['client_secret'] === client.secret;
  }

  const server = http.createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', url);
    requests.push(pathname);
    if (pathname === '/.well-known/openid-configuration') json(response, metadata());
    else if (pathname === '/jwks') json(response, { keys: [jwk] });
    else if (pathname === '/authorize') authorize(searchParams, response);
    else if (pathname === '/agree')
      response.writeHead(302, { location: `${provider.redirectUri}?${searchParams.toString()}` }).end();
    else if (pathname === '/token' && isTokenRequest(request)) void exchange(request, response);
    else if (pathname === '/end-session') endSession(searchParams, response);
    else if (pathname === '/introspect') void introspect(request, response);
    else response.writeHead(404).end();
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  url = `http://localhost:${(server.address() as AddressInfo).port}`;
  return Object.assign(provider, {
    url,
    client,
    tokenRequests,
    requests,
    given,
    refreshed,
    authorizations,
    latestSid: () => latestSid,
    endSessions: () => {
      sessions.clear();
    },
    logoutToken: (claims: JWTPayload, header: Readonly<Record<string, string>> = {}) =>
      new SignJWT({
        iss: url,
        aud: client.id,
        iat: now(),
        exp: now() + 120,
        jti: randomUUID(),
        events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
        ...claims,
      })
        .setProtectedHeader({ alg: 'ES256', kid: 'k1', typ: 'logout+jwt', ...header })
        .sign(privateKey),
    sign,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  });
}

/** RFC 6749 section 4.1.3. */
function isTokenRequest({ method, headers }: http.IncomingMessage): boolean {
  const isForm = headers['content-type']?.split(';')[0] === 'application/x-www-form-urlencoded';
  return method === 'POST' && isForm && headers.accept === 'application/json';
}

function json(response: http.ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
