import { isBasic, type NameAndPassword, readFormBasic } from '../../core/basic-credentials.js';
import { NAME_LENGTH, PASSWORD_LENGTH } from '../../core/login.js';
import type { Call, Operation } from '../../core/operation.js';
import { Problem } from '../../core/problem.js';
import { Secret } from '../../core/secret.js';
import type { LoginDeps } from './deps.js';
import { issueToken } from './issue-token.js';

interface TokenRequest {
  readonly grant_type?: string;
  readonly client_id?: string;
  readonly client_secret?: string;
}

// The schema requires no member, because the handler reports missing members as OAuth errors.
const requestSchema = {
  title: 'Token request',
  type: 'object',
  properties: {
    grant_type: { type: 'string', maxLength: 64, description: 'client_credentials' },
    client_id: { type: 'string', maxLength: NAME_LENGTH },
    client_secret: { type: 'string', maxLength: PASSWORD_LENGTH },
  },
} as const;

const replySchema = {
  title: 'Token reply',
  type: 'object',
  required: ['access_token', 'token_type', 'expires_in'],
  properties: {
    access_token: { type: 'string' },
    token_type: { const: 'Bearer' },
    expires_in: { type: 'integer', description: 'Life of the token, in seconds' },
  },
} as const;

/** Issues a token for the client credentials grant of OAuth 2.0 (RFC 6749 section 4.4, wire section 1.3). */
export const getToken: Operation<LoginDeps, TokenRequest> = {
  id: 'getToken',
  summary: 'Get a token for a client id and secret (OAuth 2.0 client credentials).',
  method: 'POST',
  path: '/oauth/token',
  roles: 'public',
  body: requestSchema,
  form: true,
  reply: replySchema,
  audited: true,
  async handle(call, deps) {
    const { name, password } = credentialsOf(call);
    const attempt = { name, password, address: call.address, kinds: ['client'] as const };
    const { token, expiresIn, outcome } = await issueToken(attempt, deps).catch(asOAuth(call));
    return { body: { access_token: token, token_type: 'Bearer', expires_in: expiresIn }, outcome };
  },
};

/** Returns the credentials of the header or of the body; rejects both together (RFC 6749 section 2.3). */
function credentialsOf({ body, header, address }: Call<TokenRequest>): NameAndPassword {
  const refuse = (error: string, detail: string): Problem =>
    new Problem('invalid_grant_request', detail, { error, outcome: `${error}, from ${address}` });
  const { grant_type: grant, client_id: id, client_secret: secret } = body;
  if (!grant) throw refuse('invalid_request', 'grant_type is missing.');
  if (grant !== 'client_credentials')
    throw refuse('unsupported_grant_type', 'The only grant_type is client_credentials.');
  const authorization = header('authorization') ?? '';
  if (!isBasic(authorization)) {
    if (!id || !secret) throw refuse('invalid_request', 'client_id or client_secret is missing.');
    return { name: id, password: new Secret(secret) };
  }
  if (secret) throw refuse('invalid_request', 'Send the client secret once: as Basic, or in the body.');
  const found = readFormBasic(authorization);
  if (!found) throw refuse('invalid_request', 'The Authorization header holds no client id and secret.');
  if (id && id !== found.name) throw refuse('invalid_request', 'There are two client ids.');
  return found;
}

/**
 * Converts a failure to an OAuth error. If the client sent an `Authorization` header, the reply contains the
 * scheme to use (section 5.2).
 */
function asOAuth({ header }: Call<TokenRequest>): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof Problem) || error.code !== 'invalid_credentials') throw error;
    const challenge = { 'www-authenticate': 'Basic realm="gatehouse", charset="UTF-8"' };
    throw new Problem(error.code, error.message, {
      ...error.extras,
      error: 'invalid_client',
      ...(header('authorization') !== undefined && { headers: challenge }),
    });
  };
}
