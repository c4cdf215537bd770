import { isBasic, type NameAndPassword, readFormBasic } from '../../auth/basic-credentials.js';
import { type Account, type LoginAttempt, NAME_LENGTH, PASSWORD_LENGTH } from '../../core/login.js';
import type { Call, Operation } from '../../core/operation.js';
import { type CallerIdentity, LOCAL_ISSUER } from '../../core/principal.js';
import { Problem, withExtras } from '../../core/problem.js';
import { Secret } from '../../core/secret.js';
import type { IssuedToken } from '../../core/session.js';
import { sessionCookie, sessionCookieTerms } from './cookies.js';
import type { LoginDeps } from './deps.js';
import { endPreviousSession } from './end-previous-session.js';

interface PasswordLogin {
  readonly username: string;
  readonly password: string;
}

/** Request body of a login, in the two forms that clients send (wire section 1.1). */
type LoginBody = PasswordLogin | { readonly user: PasswordLogin };

const passwordLoginProperties = {
  username: { type: 'string', minLength: 1, maxLength: NAME_LENGTH },
  password: { type: 'string', maxLength: PASSWORD_LENGTH },
} as const;

const loginSchema = {
  title: 'Login',
  type: 'object',
  properties: {
    user: { type: 'object', required: ['username', 'password'], properties: passwordLoginProperties },
    ...passwordLoginProperties,
  },
  if: { required: ['user'], properties: { user: {} } },
  else: { required: ['username', 'password'], properties: { username: {}, password: {} } },
} as const;

export const logIn: Operation<LoginDeps, LoginBody> = {
  id: 'login',
  summary: 'Log in with a user name and a password, and get a token as text and as a cookie.',
  description:
    'Checks the password of a user of the configuration, and issues a token. Too many wrong passwords lock the name for a while.',
  problems: ['invalid_credentials', 'too_many_requests', 'login_busy'],
  method: 'POST',
  path: '/login',
  roles: 'public',
  body: loginSchema,
  reply: { title: 'Token', type: 'string', description: 'The token as plain text' },
  replyHeaders: {
    'set-cookie': 'The token, as the cookie "token"; for a browser over TLS, as the cookie "__Host-token"',
  },
  replyType: 'text/plain; charset=utf-8',
  audited: true,
  async handle({ body, header, address }, deps) {
    const { username: name, password } = 'user' in body ? body.user : body;
    const attempt = { name, password: new Secret(password), address, kinds: ['user'] as const };
    const { token, expiresIn, ...audited } = await issueToken(attempt, deps);
    const terms = await sessionCookieTerms({ header }, deps);
    const removal = await endPreviousSession({ header }, terms, deps);
    const cookies = [sessionCookie(terms, token, expiresIn), ...removal];
    return { body: token, ...audited, headers: { 'set-cookie': cookies } };
  },
};

interface TokenRequest {
  readonly grant_type?: string;
  readonly client_id?: string;
  readonly client_secret?: string;
}

// The schema requires no member. The handler reports missing members as OAuth errors.
const tokenRequestSchema = {
  title: 'Token request',
  type: 'object',
  properties: {
    grant_type: {
      type: 'string',
      maxLength: 64,
      'x-documented': { const: 'client_credentials' },
      description: 'Always `client_credentials`',
    },
    client_id: { type: 'string', maxLength: NAME_LENGTH },
    client_secret: { type: 'string', maxLength: PASSWORD_LENGTH },
  },
} as const;

const tokenReplySchema = {
  title: 'Token reply',
  type: 'object',
  required: ['access_token', 'token_type', 'expires_in'],
  properties: {
    access_token: { type: 'string' },
    token_type: { const: 'Bearer' },
    expires_in: { type: 'integer', description: 'Lifetime of the token, in seconds' },
  },
} as const;

export const getToken: Operation<LoginDeps, TokenRequest> = {
  id: 'getToken',
  summary: 'Get a token for a client id and secret (OAuth 2.0 client credentials).',
  description:
    'Checks the secret of a client of the configuration, and issues a token. Send the client id and the secret in the body, or in the header `Authorization` as Basic.',
  problems: ['invalid_grant_request', 'invalid_credentials', 'too_many_requests', 'login_busy'],
  method: 'POST',
  path: '/oauth/token',
  roles: 'public',
  body: tokenRequestSchema,
  form: true,
  reply: tokenReplySchema,
  audited: true,
  async handle(call, deps) {
    const { name, password } = credentialsOf(call);
    const attempt = { name, password, address: call.address, kinds: ['client'] as const };
    const { token, expiresIn, ...audited } = await issueToken(attempt, deps).catch(asOAuthError(call));
    return { body: { access_token: token, token_type: 'Bearer', expires_in: expiresIn }, ...audited };
  },
};

/**
 * Returns the credentials from the header or from the body. Throws `invalid_grant_request` if the request
 * contains both (RFC 6749 section 2.3), or if a member is missing.
 */
function credentialsOf({ body, header, address }: Call<TokenRequest>): NameAndPassword {
  const invalid = (error: string, detail: string): Problem =>
    new Problem('invalid_grant_request', detail, { error, outcome: `${error}, from ${address}` });
  const { grant_type: grant, client_id: id, client_secret: secret } = body;
  if (!grant) throw invalid('invalid_request', 'grant_type is missing.');
  if (grant !== 'client_credentials')
    throw invalid('unsupported_grant_type', 'The only grant_type is client_credentials.');
  const authorization = header('authorization') ?? '';
  if (!isBasic(authorization)) {
    if (!id || !secret) throw invalid('invalid_request', 'client_id or client_secret is missing.');
    return { name: id, password: new Secret(secret) };
  }
  if (secret) throw invalid('invalid_request', 'Send the client secret once: as Basic, or in the body.');
  const credentials = readFormBasic(authorization);
  if (!credentials)
    throw invalid('invalid_request', 'The Authorization header does not contain a client id and a secret.');
  if (id && id !== credentials.name)
    throw invalid('invalid_request', 'The client ids in the header and in the body differ.');
  return credentials;
}

/**
 * Creates a handler that converts `invalid_credentials` to an OAuth error. If the client sent an
 * `Authorization` header, the reply names the scheme to use (RFC 6749 section 5.2).
 */
function asOAuthError({ header }: Call<TokenRequest>): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof Problem) || error.code !== 'invalid_credentials') throw error;
    const challenge = { 'www-authenticate': 'Basic realm="gatehouse", charset="UTF-8"' };
    throw withExtras(error, {
      error: 'invalid_client',
      ...(header('authorization') !== undefined && { headers: challenge }),
    });
  };
}

/** An issued token, and the caller and the outcome for the audit record. */
interface Login extends Pick<IssuedToken, 'token' | 'expiresIn'> {
  readonly caller: CallerIdentity;
  readonly outcome: string;
}

/** Issues a token for a name and a password. Throws the same Problems as `Logins.logIn`. */
async function issueToken(attempt: LoginAttempt, { lease, tokens }: LoginDeps): Promise<Login> {
  const [account, ttlSeconds] = await lease(async ({ logins }): Promise<[Account, number]> => [
    await logins.logIn(attempt),
    logins.tokenTtlSeconds,
  ]);
  // Only a restart starts the built-in issuer. A reload that enables the issuer reports this.
  if (!tokens) throw new Problem('invalid_credentials', 'Invalid credentials');
  const issued = tokens.give(account, ttlSeconds);
  const outcome = `token ${issued.session.token} given, ${account.name}, from ${attempt.address}`;
  const { token, expiresIn } = issued;
  return { token, expiresIn, caller: { subject: account.name, issuer: LOCAL_ISSUER }, outcome };
}
