import { isHeaderValue } from '../../core/header.js';
import type { HttpRequest } from '../../core/http.js';
import { valueAt } from '../../json/pointer.js';
import type { OAuth2Settings } from '../../settings/adapter.js';
import { basicCredentials } from '../adapter-auth.js';
import {
  loginFailure,
  loginStatusProblem,
  parseReplyJson,
  type OpenSession,
  lifetimeSecondsOf,
} from './session.js';

const SUBJECT = 'the request for an OAuth 2.0 token';

/** Returns a login that obtains a bearer token with the client credentials grant (RFC 6749 section 4.4). */
export function oauth2Login(settings: OAuth2Settings): OpenSession {
  return async ({ send, maskSecret }) => {
    const reply = await send(tokenRequest(settings));
    const body = parseReplyJson(reply);
    if (reply.status !== 200 && reply.status !== 201)
      throw loginStatusProblem(SUBJECT, reply, oauthErrorOf(body));
    const token = accessTokenOf(body);
    maskSecret(token);
    const lifeSeconds = lifetimeSecondsOf(valueAt(body, '/expires_in'));
    return {
      headers: { authorization: `Bearer ${token}` },
      ...(lifeSeconds !== undefined && { lifeSeconds }),
    };
  };
}

function tokenRequest(settings: OAuth2Settings): HttpRequest {
  const { tokenUrl, clientId, clientSecret, scope, clientAuth, encoding } = settings;
  const secret = clientSecret.reveal();
  const fields = {
    grant_type: 'client_credentials',
    ...(scope !== null && { scope }),
    ...(clientAuth === 'body' && { client_id: clientId, client_secret: secret }),
  };
  const isForm = encoding === 'form';
  return {
    method: 'POST',
    url: tokenUrl,
    headers: {
      accept: 'application/json',
      'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
      ...(clientAuth === 'basic' && {
        authorization: isForm ? clientCredentials(clientId, secret) : basicCredentials(clientId, secret),
      }),
    },
    body: Buffer.from(isForm ? new URLSearchParams(fields).toString() : JSON.stringify(fields)),
  };
}

/**
 * Returns Basic credentials with id and secret form-encoded (RFC 6749 section 2.3.1). Servers that expect
 * JSON follow RFC 7617 only.
 */
function clientCredentials(id: string, secret: string): string {
  const encode = (text: string): string => new URLSearchParams({ '': text }).toString().slice(1);
  return basicCredentials(encode(id), encode(secret));
}

function accessTokenOf(body: unknown): string {
  const token = valueAt(body, '/access_token');
  const type = valueAt(body, '/token_type') ?? 'bearer';
  if (typeof token !== 'string' || token === '' || !isHeaderValue(token) || /\s/.test(token))
    throw loginFailure(SUBJECT, 'was answered without an access_token that a header can carry');
  if (typeof type !== 'string' || type.toLowerCase() !== 'bearer')
    throw loginFailure(SUBJECT, 'was answered with a token of another type than bearer');
  return token;
}

/**
 * Returns the error code (RFC 6749 section 5.2) if it is well-formed. Omits the description, which may repeat
 * a secret.
 */
function oauthErrorOf(body: unknown): string | undefined {
  const code = valueAt(body, '/error');
  return typeof code === 'string' && /^[a-z_]{1,40}$/.test(code) ? code : undefined;
}
