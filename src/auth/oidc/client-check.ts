import type { HttpClient, OpenHttpClient } from '../../core/http.js';
import type { IssuerFinding } from '../../core/login.js';
import type { Clock } from '../../lib/clock.js';
import type { SignInSettings } from '../../settings/settings.js';
import { signInLimits } from '../fetch-keys.js';
import type { ConfiguredIssuer } from '../issuer.js';
import { ClientFailure } from './client-failure.js';
import type { OidcClient } from './client-types.js';
import { openOidcClient } from './client.js';
import { randomText } from './flow.js';
import { CALLBACK_PATH } from './sign-ins.js';

export interface ClientCheckDeps {
  readonly openHttpClient: OpenHttpClient;
  readonly clock: Clock;
  /** Origin that browsers use to reach this server; null if not configured. */
  readonly publicUrl: string | null;
}

/** Errors by which an issuer says that the request is right and that a person must act (OpenID Connect Core 1.0, section 3.1.2.6). */
const INTERACTION_ERRORS: ReadonlySet<string> = new Set([
  'login_required',
  'interaction_required',
  'account_selection_required',
  'consent_required',
]);

/**
 * Tries the client of a sign-in at the issuer, without a person. An authorization request with `prompt=none`
 * shows whether the issuer knows the client and its redirect URI; a code that was never issued shows whether
 * it accepts the client's secret. Issuers that show a page instead of an error give no finding. Each request has the time
 * that a sign-in gives it.
 */
export async function checkClient(
  { rules, ca }: ConfiguredIssuer,
  http: HttpClient,
  deps: ClientCheckDeps,
): Promise<readonly IssuerFinding[]> {
  const { issuer, signIn, clockToleranceSeconds } = rules;
  if (!signIn) return [];
  const { clientId, clientSecret } = signIn;
  const redirectUri = deps.publicUrl === null ? '' : new URL(deps.publicUrl).origin + CALLBACK_PATH;
  const limits = signInLimits(signIn);
  const client = openOidcClient(
    { issuer, clientId, clientSecret, ca, clockToleranceSeconds },
    { ...deps, limits },
  );
  try {
    const known = await checkRedirectUri(client, signIn, { http, redirectUri });
    return known.length > 0 ? known : await checkSecret(client, signIn, { issuer, redirectUri });
  } catch (error) {
    const message = `cannot be tried: ${error instanceof Error ? error.message : 'unknown'}`;
    const fix = 'Repeat the check when the issuer answers, or raise signIn.timeoutSeconds.';
    return [{ pointer: '/signIn', code: 'issuer_unreachable', message, fix }];
  } finally {
    await client.close();
  }
}

interface RedirectTerms {
  readonly redirectUri: string;
  readonly http: HttpClient;
}

async function checkRedirectUri(
  client: OidcClient,
  signIn: SignInSettings,
  { http, redirectUri }: RedirectTerms,
): Promise<readonly IssuerFinding[]> {
  const { clientId, scopes } = signIn;
  const url = await client.authorizationUrl({
    redirect_uri: redirectUri,
    scope: [...new Set(['openid', ...scopes])].join(' '),
    state: randomText(),
    nonce: randomText(),
    code_challenge: randomText(),
    code_challenge_method: 'S256',
    prompt: 'none',
  });
  const { status, headers } = await http.send({ method: 'GET', url, headers: {} }, signInLimits(signIn));
  const pointer = '/signIn/clientId';
  if (status >= 400 && status < 500) {
    const message = `is refused by the issuer with status ${status}, with the redirect URI ${redirectUri}`;
    const fix = `Register the client "${clientId}" at the issuer, with exactly this redirect URI.`;
    return [{ pointer, code: 'issuer_redirect_uri', message, fix }];
  }
  const error = errorInRedirect(headers['location'], redirectUri);
  if (error === undefined || INTERACTION_ERRORS.has(error)) return [];
  const message = `is refused by the issuer with the error ${error}`;
  const fix = ADVICE[error] ?? 'Compare the settings of the client at the issuer.';
  return [{ pointer, code: 'issuer_client', message, fix }];
}

const ADVICE: Readonly<Record<string, string>> = {
  invalid_scope: 'Assign the scopes of signIn.scopes to the client at the issuer, or remove them here.',
  invalid_request: 'Switch off pushed authorization requests (PAR) for the client at the issuer.',
  unauthorized_client: 'Allow the authorization code flow ("standard flow" in Keycloak) for the client.',
};

/** Returns the `error` of a redirect to the redirect URI; `undefined` for any other response. */
function errorInRedirect(location: unknown, redirectUri: string): string | undefined {
  if (typeof location !== 'string' || !location.startsWith(`${redirectUri}?`)) return undefined;
  return shownError(new URL(location).searchParams.get('error') ?? undefined);
}

function shownError(error: string | undefined): string | undefined {
  return error !== undefined && /^[\w.-]{1,64}$/.test(error) ? error : undefined;
}

async function checkSecret(
  client: OidcClient,
  { clientId, clientSecret }: SignInSettings,
  { redirectUri, issuer }: { readonly redirectUri: string; readonly issuer: string },
): Promise<readonly IssuerFinding[]> {
  const state = randomText();
  const response = new URLSearchParams({ code: randomText(), state, iss: issuer });
  const checks = { redirectUri, state, nonce: randomText(), codeVerifier: randomText() };
  const error = await client.exchangeCode(response, checks).then(
    () => undefined,
    (failure: unknown) => {
      if (failure instanceof ClientFailure) return failure.error;
      throw failure;
    },
  );
  if (error !== 'invalid_client' && error !== 'unauthorized_client') return [];
  const code = 'issuer_client_secret';
  if (clientSecret) {
    const fix = `Write the secret that the issuer has for the client "${clientId}".`;
    return [{ pointer: '/signIn/clientSecret', code, message: `is refused by the issuer (${error})`, fix }];
  }
  const message = `is not accepted by the issuer without a secret (${error})`;
  const fix = 'Set signIn.clientSecret, or make the client a public client at the issuer.';
  return [{ pointer: '/signIn/clientId', code, message, fix }];
}
