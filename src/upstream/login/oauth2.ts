import type { OAuth2Settings } from '../../core/adapter-settings.js';
import { isHeaderValue } from '../../core/header.js';
import type { HttpRequest } from '../../core/http.js';
import { valueAt } from '../../core/pointer.js';
import { basicCredentials } from '../adapter-auth.js';
import { loginProblem, loginFailed, looseJson, secondsOf } from './refused.js';
import type { OpenSession } from './session.js';

const WHAT = 'the request for an OAuth 2.0 token';

/** Gets a bearer token by the client credentials grant (RFC 6749 section 4.4). */
export function oauth2Login(settings: OAuth2Settings): OpenSession {
  return async ({ send, keepSecret }) => {
    const reply = await send(tokenRequest(settings));
    const answer = looseJson(reply);
    if (reply.status !== 200 && reply.status !== 201) throw loginProblem(WHAT, reply, errorWord(answer));
    const token = tokenOf(answer);
    keepSecret(token);
    const lifeSeconds = secondsOf(valueAt(answer, '/expires_in'));
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

/** Section 2.3.1: both are form-encoded before they are joined. Servers that want JSON keep to RFC 7617 alone. */
function clientCredentials(id: string, secret: string): string {
  const encode = (text: string): string => new URLSearchParams({ '': text }).toString().slice(1);
  return basicCredentials(encode(id), encode(secret));
}

function tokenOf(answer: unknown): string {
  const token = valueAt(answer, '/access_token');
  const type = valueAt(answer, '/token_type') ?? 'bearer';
  if (typeof token !== 'string' || token === '' || !isHeaderValue(token) || /\s/.test(token))
    throw loginFailed(WHAT, 'was answered without an access_token that a header can carry');
  if (typeof type !== 'string' || type.toLowerCase() !== 'bearer')
    throw loginFailed(WHAT, 'was answered with a token that is no bearer token');
  return token;
}

/** The error code (section 5.2), when it looks like one; the description is left out, it may repeat anything. */
function errorWord(answer: unknown): string | undefined {
  const word = valueAt(answer, '/error');
  return typeof word === 'string' && /^[a-z_]{1,40}$/.test(word) ? word : undefined;
}
