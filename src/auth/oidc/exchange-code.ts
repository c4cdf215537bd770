import type { HttpClient, HttpLimits, HttpRequest } from '../../core/http.js';
import type { JsonObject } from '../../core/json-object.js';
import type { SignInSettings } from '../../core/settings.js';
import { SignInFailure } from '../../core/sign-in.js';
import { parseJsonObject } from '../json-object.js';
import type { Flow } from './flow.js';
import type { ProviderMetadata } from './provider.js';

/** Parameters of a code exchange. */
export interface CodeExchange {
  readonly code: string;
  readonly flow: Flow;
  readonly redirectUri: string;
  readonly settings: SignInSettings;
  readonly metadata: ProviderMetadata;
}

/** HTTP client and limits for the token endpoint. */
export interface ExchangeTerms {
  readonly client: HttpClient;
  readonly limits: HttpLimits;
}

/**
 * Exchanges a code for tokens (RFC 6749 section 4.1.3, RFC 7636 section 4.5). Follows no redirect. Throws
 * `not_accepted` if the issuer refuses the code, and `issuer_unavailable` if it gives no usable answer.
 */
export async function exchangeCode(
  exchange: CodeExchange,
  { client, limits }: ExchangeTerms,
): Promise<JsonObject> {
  const { status, body } = await client.send(tokenRequest(exchange), limits).catch(unavailable);
  // Only the status is reported, because the body can repeat anything.
  if (status === 400 || status === 401 || status === 403)
    throw new SignInFailure('not_accepted', `the token endpoint refuses with status ${status}`);
  if (status !== 200)
    throw new SignInFailure('issuer_unavailable', `the token endpoint answers with status ${status}`);
  try {
    return parseJsonObject(body);
  } catch (error) {
    return unavailable(error);
  }
}

function tokenRequest({ code, flow, redirectUri, settings, metadata }: CodeExchange): HttpRequest {
  const { clientId, clientSecret } = settings;
  const isBasic = clientSecret !== undefined && metadata.clientAuth === 'basic';
  const fields = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: flow.codeVerifier,
    ...(!isBasic && { client_id: clientId }),
    ...(clientSecret && !isBasic && { client_secret: clientSecret.reveal() }),
  };
  return {
    method: 'POST',
    url: metadata.tokenEndpoint,
    headers: {
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
      ...(isBasic && { authorization: basicOf(clientId, clientSecret.reveal()) }),
    },
    body: Buffer.from(new URLSearchParams(fields).toString()),
  };
}

/** Returns Basic credentials; both parts are form-encoded before they are joined (RFC 6749 section 2.3.1). */
function basicOf(id: string, secret: string): string {
  const encode = (text: string): string => new URLSearchParams({ '': text }).toString().slice(1);
  return `Basic ${Buffer.from(`${encode(id)}:${encode(secret)}`).toString('base64')}`;
}

function unavailable(error: unknown): never {
  const reason = error instanceof Error ? error.message : 'unknown';
  throw new SignInFailure('issuer_unavailable', `the token endpoint: ${reason}`);
}
