import { createHash, randomUUID } from 'node:crypto';
import http from 'node:http';
import { text } from 'node:stream/consumers';
import { decodeJwt, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { rsaKeys } from './keys.js';
import { listenOnLoopback } from './loopback.js';

/** Deviations of the provider from correct behavior. */
interface Mood {
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
  /** Error of the device authorization endpoint. */
  deviceError?: string;
  /** True: the person denies on the device page. */
  denies?: boolean;
  /** Replaces the token endpoint. */
  token?: (request: http.IncomingMessage, response: http.ServerResponse) => void;
}

interface TokenRequest {
  readonly authorization: string | undefined;
  readonly form: Readonly<Record<string, string>>;
}

/**
 * An OpenID provider on loopback for one client and one person: discovery, authorization with a page to be clicked,
 * device authorization (RFC 8628), token endpoint with PKCE and client credentials, revocation (RFC 7009), introspection and key set.
 */
export interface OidcProvider {
  /** `http://localhost:port`, also the name of the issuer. Another site than 127.0.0.1. */
  readonly url: string;
  readonly client: { readonly id: string; readonly secret: string };
  /**
   * The only URL to which the provider redirects browsers. Empty: `/callback` on any port of this machine (RFC 8252),
   * without a page.
   */
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
  /** Refresh tokens that were revoked. */
  readonly revoked: readonly string[];
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

interface ProviderOptions {
  /** An empty secret makes a public client. */
  readonly client?: OidcProvider['client'];
  readonly person?: JWTPayload;
  /** Seconds since 1970; the machine's when absent. */
  readonly now?: () => number;
  /** Of its signatures; ES256 when absent. */
  readonly algorithm?: 'ES256' | 'RS256';
}

const PERSON: JWTPayload = { sub: 'f3b1-ada', realm_access: { roles: ['net-admins'] } };

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** Starts a provider with one client and one user without a password. */
export async function startOidcProvider(options: ProviderOptions = {}): Promise<OidcProvider> {
  const { client = { id: 'console', secret: 'pw-of-the-client-7d1e' }, person = PERSON } = options;
  const { algorithm: alg = 'ES256' } = options;
  const now = options.now ?? (() => Math.floor(Date.now() / 1000));
  const { privateKey, publicKey } = alg === 'RS256' ? rsaKeys('oidc-provider') : await generateKeyPair(alg);
  const jwk = { ...(await exportJWK(publicKey)), kid: 'k1', alg, use: 'sig' };
  const grants = new Map<string, Grant>();
  const given: string[] = [];
  const tokenRequests: TokenRequest[] = [];
  const refreshed: string[] = [];
  const revoked: string[] = [];
  /** Device codes that were polled. */
  const polled = new Set<string>();
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
      ...person,
      ...claims,
    };
    const token = await new SignJWT(whole).setProtectedHeader({ alg, kid: 'k1' }).sign(privateKey);
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
    device_authorization_endpoint: `${url}/device`,
    revocation_endpoint: `${url}/revoke`,
    response_types_supported: ['code'],
    id_token_signing_alg_values_supported: [alg],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    ...provider.mood.metadata,
  });

  /** Serves the page on which the person agrees; an unknown client gets no details. */
  function authorize(query: URLSearchParams, response: http.ServerResponse): void {
    const param = (name: string): string => query.get(name) ?? '';
    const redirectUri = param('redirect_uri');
    const isNative = provider.redirectUri === '' && /^http:\/\/127\.0\.0\.1:\d+\/callback$/.test(redirectUri);
    const wanted = {
      client_id: client.id,
      redirect_uri: isNative ? redirectUri : provider.redirectUri,
      response_type: 'code',
      tenant: 'net',
      code_challenge_method: 'S256',
    };
    const isRight =
      Object.entries(wanted).every(([name, value]) => query.get(name) === value) &&
      param('scope').split(' ').includes('openid');
    if (!isRight) return void response.writeHead(400).end('not a request of the client');
    authorizations.push(query);
    const back = { state: param('state'), iss: url };
    const redirect = (answer: Record<string, string>): http.ServerResponse =>
      response.writeHead(303, { location: `${redirectUri}?${new URLSearchParams(answer).toString()}` }).end();
    if (param('prompt') === 'none')
      return void redirect({ error: provider.mood.silent ?? 'login_required', ...back });
    const code = randomUUID();
    const [challenge, nonce] = [param('code_challenge'), param('nonce')];
    grants.set(code, { challenge, nonce, redirectUri, sid: randomUUID() });
    // JSON leaves out the members that are undefined.
    const named = JSON.parse(JSON.stringify({ code, ...back, ...provider.mood.answer })) as Record<
      string,
      string
    >;
    if (isNative) return void redirect(named);
    const target = `/agree?${new URLSearchParams(named).toString()}`.replaceAll('&', '&amp;');
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<a href="${target}">I agree</a>`);
  }

  async function exchange(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const form = await formOf(request);
    const { authorization } = request.headers;
    tokenRequests.push({ authorization, form });
    if (provider.mood.token) {
      provider.mood.token(request, response);
      return;
    }
    const isOwn = isClient(authorization, form);
    const result =
      isOwn && form['grant_type'] === 'client_credentials'
        ? { access_token: await sign({ aud: 'gatehouse' }) }
        : await grantOf(form, isOwn);
    if (typeof result !== 'string') json(response, result);
    else json(response, { error: result }, result === 'invalid_client' ? 401 : 400);
  }

  /** Returns the tokens for a request to the token endpoint, or its error. */
  async function grantOf(form: TokenRequest['form'], isOwn: boolean): Promise<object | string> {
    const { grant_type: type, code = form['device_code'] ?? '', refresh_token: refreshToken = '' } = form;
    if (type === 'refresh_token') return isOwn ? renew(refreshToken) : 'invalid_grant';
    const pending = type === DEVICE_GRANT && decisionOf(code);
    if (pending) return pending;
    const grant = grants.get(code);
    // A code is valid for one attempt, by any client.
    grants.delete(code);
    if (!isOwn) return 'invalid_client';
    if (!grant || !isFor(grant, form)) return 'invalid_grant';
    sessions.add(grant.sid);
    latestSid = grant.sid;
    return tokensOf(grant.sid, grant.nonce === '' ? {} : { nonce: grant.nonce });
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

  /** Returns the error of a poll until the person has agreed: after the first poll. */
  function decisionOf(code: string): string | undefined {
    if (provider.mood.denies) return 'access_denied';
    const isFirst = !polled.has(code);
    polled.add(code);
    return isFirst ? 'authorization_pending' : undefined;
  }

  async function startDevice(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const form = await formOf(request);
    const { deviceError: error = form['code_challenge_method'] === 'S256' ? undefined : 'invalid_request' } =
      provider.mood;
    if (error !== undefined) {
      json(response, { error }, 400);
      return;
    }
    const code = randomUUID();
    const challenge = form['code_challenge'] ?? '';
    grants.set(code, { challenge, nonce: '', redirectUri: '', sid: randomUUID() });
    json(response, {
      user_code: 'ABCD-EFGH',
      verification_uri: `${url}/code`,
      verification_uri_complete: `${url}/code?user_code=ABCD-EFGH`,
      device_code: code,
      expires_in: 600,
      // Short, so that tests do not wait.
      interval: 0.01,
    });
  }

  async function revoke(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const { token = '' } = await formOf(request);
    revoked.push(token);
    sessions.delete(refreshTokens.get(token) ?? '');
    json(response, {});
  }

  /** Returns the tokens for a refresh token. A token that is used twice ends its session, as with rotation. */
  async function renew(token: string): Promise<object | string> {
    const sid = refreshTokens.get(token) ?? '';
    if (refreshed.includes(token)) sessions.delete(sid);
    refreshed.push(token);
    return sessions.has(sid) ? tokensOf(sid, {}) : 'invalid_grant';
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
    const form = await formOf(request);
    if (!isClient(request.headers.authorization, form)) {
      json(response, { error: 'invalid_client' }, 401);
      return;
    }
    const { sid } = decodeJwt(form['token'] ?? '');
    json(response, { active: sessions.has(String(sid)) });
  }

  function isFor(grant: Grant, form: TokenRequest['form']): boolean {
    const challenge = createHash('sha256')
      .update(form['code_verifier'] ?? '')
      .digest('base64url');
    const isOfCode =
      form['grant_type'] === 'authorization_code' && form['redirect_uri'] === grant.redirectUri;
    return grant.challenge === challenge && (isOfCode || form['grant_type'] === DEVICE_GRANT);
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
    else if (pathname === '/device') void startDevice(request, response);
    else if (pathname === '/revoke') void revoke(request, response);
    else response.writeHead(404).end();
  });
  const { port, close } = await listenOnLoopback(server, { host: 'localhost' });
  url = `http://localhost:${port}`;
  return Object.assign(provider, {
    url,
    client,
    tokenRequests,
    requests,
    given,
    refreshed,
    revoked,
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
        .setProtectedHeader({ alg, kid: 'k1', typ: 'logout+jwt', ...header })
        .sign(privateKey),
    sign,
    close,
  });
}

async function formOf(request: http.IncomingMessage): Promise<Readonly<Record<string, string>>> {
  return Object.fromEntries(new URLSearchParams(await text(request)));
}

/** RFC 6749 section 4.1.3. */
function isTokenRequest({ method, headers }: http.IncomingMessage): boolean {
  const isForm = headers['content-type']?.split(';')[0] === 'application/x-www-form-urlencoded';
  return method === 'POST' && isForm && ['application/json', '*/*'].includes(headers.accept ?? '');
}

function json(response: http.ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
