import type { Clock } from '../../core/lib/clock.js';
import type { HttpClient, HttpLimits, OpenHttpClient } from '../../core/http.js';
import type { Log } from '../../core/log.js';
import type { TokenVerifier, Principal } from '../../core/principal.js';
import type { Secret } from '../../core/secret.js';
import type { SignInSettings } from '../../core/settings.js';
import { SignInFailure, type SignIns } from '../../core/sign-in.js';
import { ISSUER_LIMITS } from '../fetch-keys.js';
import type { ConfiguredIssuer } from '../issuer.js';
import { createVerifier } from '../verifier.js';
import { createMetadataSource, exchangeCode, type ProviderMetadata } from './provider.js';
import { challengeOf, type Flow, FLOW_SECONDS, newFlow, resumeFlow, isSame } from './flow.js';
import { createSeal } from './state-cookie.js';
import type { JsonObject } from '../../core/json-object.js';
import { readToken } from '../token.js';

interface SignInDeps {
  readonly openHttpClient: OpenHttpClient;
  /** Verifier of all requests. */
  readonly gate: TokenVerifier;
  readonly clock: Clock;
  readonly log: Log;
  /** Limits of one request to a token endpoint; default: 5 seconds and 256 KiB. */
  readonly limits?: HttpLimits;
}

interface SignInOptions {
  readonly issuers: readonly ConfiguredIssuer[];
  readonly publicUrl: string | null;
  readonly secret?: Secret | undefined;
}

/** Sign-ins with the connections to their providers. */
export interface OwnedSignIns extends SignIns {
  close(): Promise<void>;
}

/** One provider, ready for sign-ins. */
interface Provider {
  readonly settings: SignInSettings;
  readonly client: HttpClient;
  readonly metadata: () => Promise<ProviderMetadata>;
  readonly idTokens: TokenVerifier;
}

/** Path to which providers redirect browsers. */
const CALLBACK = '/console/oidc/callback';

/** Opens sign-ins at the issuers that have `signIn`. Opens no connection. */
export function openSignIns({ issuers, publicUrl, secret }: SignInOptions, deps: SignInDeps): OwnedSignIns {
  const { gate, clock, log, limits = ISSUER_LIMITS } = deps;
  const publicOrigin = publicUrl === null ? '' : new URL(publicUrl).origin;
  const redirectUri = publicOrigin + CALLBACK;
  const seal = createSeal(secret);
  const providers = new Map(issuers.flatMap((issuer) => openProvider(issuer, deps)));

  function providerOf(issuer: string): Provider {
    const provider = providers.get(issuer);
    if (!provider) throw new SignInFailure('issuer_unknown', 'nobody can sign in at this issuer');
    return provider;
  }

  async function conclude(parameters: URLSearchParams, flow: Flow): ReturnType<SignIns['finish']> {
    const { settings, client, metadata: ask, idTokens } = providerOf(flow.issuer);
    const metadata = await ask().catch(unavailable);
    const code = codeOf(parameters, flow, metadata);
    const answer = await exchangeCode({ code, flow, redirectUri, settings, metadata }, { client, limits });
    const validated = await createIdTokenVerifiers(answer, flow, {
      gate,
      idTokens,
      clientId: settings.clientId,
    });
    return { ...validated, returnTo: flow.returnTo };
  }

  return {
    publicOrigin,
    providers: [...providers].map(([issuer, { settings }]) => ({
      issuer,
      name: settings.name ?? new URL(issuer).host,
    })),
    async begin(issuer, returnTo) {
      const { settings, metadata: ask } = providerOf(issuer);
      const metadata = await ask().catch(unavailable).catch(told(log, { issuer, returnTo }));
      const flow = newFlow(issuer, returnTo, clock);
      const location = authorizationUrl(metadata, flow, { settings, redirectUri });
      return { location, sealed: seal.close(JSON.stringify(flow)), lifeSeconds: FLOW_SECONDS };
    },
    async finish(parameters, sealed) {
      const flow = resumeFlow({ sealed, state: parameters.get('state') ?? '' }, seal, clock);
      return conclude(parameters, flow).catch(told(log, flow));
    },
    async close() {
      await Promise.all([...providers.values()].map(({ client }) => client.close()));
    },
  };
}

function openProvider(
  { rules, keys, ca }: ConfiguredIssuer,
  { openHttpClient, clock }: SignInDeps,
): [string, Provider][] {
  const { issuer, signIn: settings } = rules;
  if (!settings) return [];
  const client = openHttpClient(ca === undefined ? {} : { tls: { ca } });
  // An id token is for the client (OpenID Connect Core 1.0, section 2), whatever audience the gate requires.
  const forUs = { rules: { ...rules, audience: [settings.clientId] }, keys };
  const idTokens = createVerifier({ issuers: [forUs], clock, cacheSize: 0 });
  return [[issuer, { settings, client, metadata: createMetadataSource(issuer, client, clock), idTokens }]];
}

function authorizationUrl(
  { authorizationEndpoint }: ProviderMetadata,
  flow: Flow,
  { settings, redirectUri }: { readonly settings: SignInSettings; readonly redirectUri: string },
): string {
  const url = new URL(authorizationEndpoint);
  const parameters = {
    response_type: 'code',
    client_id: settings.clientId,
    redirect_uri: redirectUri,
    scope: [...new Set(['openid', ...settings.scopes])].join(' '),
    state: flow.state,
    nonce: flow.nonce,
    code_challenge: challengeOf(flow),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/**
 * Returns the code from the provider's redirect. Throws `issuer_mismatch` (RFC 9207 section 2.4) or `denied`.
 */
function codeOf(parameters: URLSearchParams, { issuer }: Flow, { namesIssuer }: ProviderMetadata): string {
  const named = parameters.getAll('iss');
  if (named.length > 1 || (named.length === 0 ? namesIssuer : named[0] !== issuer))
    throw new SignInFailure('issuer_mismatch', 'another issuer answers, or none says who it is');
  const [code = '', ...others] = parameters.getAll('code');
  if (parameters.has('error') || code === '' || others.length > 0)
    throw new SignInFailure('denied', 'the issuer gives no code');
  return code;
}

function unavailable(error: unknown): never {
  const reason = error instanceof Error ? error.message : 'unknown';
  throw new SignInFailure('issuer_unavailable', reason);
}

/** Returns a handler that logs a failure and adds the page that the person requested. */
function told(log: Log, { issuer, returnTo }: Pick<Flow, 'issuer' | 'returnTo'>): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof SignInFailure)) throw error;
    const { problem, message } = error;
    log.warn('a sign-in failed', { issuer, problem, reason: message });
    throw new SignInFailure(problem, message, returnTo);
  };
}

/** Verifiers for the tokens of one issuer. */
interface IdTokenVerifiers {
  /** Verifier of all requests: a token that it rejects is useless to a browser. */
  readonly gate: TokenVerifier;
  /** Accepts id tokens that this issuer made for this client. */
  readonly idTokens: TokenVerifier;
  readonly clientId: string;
}

/** A token for requests, and its principal. */
interface VerifiedIdToken {
  readonly token: string;
  readonly principal: Principal;
}

/**
 * Chooses among the tokens of a token endpoint's answer. The id token must prove that it was made for this
 * sign-in. The browser gets the access token if the gate accepts it, as from any caller. Otherwise it gets
 * the id token if the gate accepts that, because at some providers access tokens are for other services. A
 * token with roles takes precedence over a token without roles. Throws `not_accepted`.
 */
async function createIdTokenVerifiers(
  answer: JsonObject,
  flow: Flow,
  judges: IdTokenVerifiers,
): Promise<VerifiedIdToken> {
  const { id_token: idToken, access_token: accessToken } = answer;
  if (typeof idToken !== 'string') throw refused('the answer has no id_token');
  await checkIdToken(idToken, flow, judges);
  const verdicts = await Promise.all([
    validateIdToken(accessToken, flow, judges),
    validateIdToken(idToken, flow, judges),
  ]);
  const accepted = verdicts.flatMap((verdict) => ('token' in verdict ? [verdict] : []));
  const best = accepted.find(({ principal }) => principal.roles.length > 0) ?? accepted[0];
  if (best) return best;
  const [access, id] = verdicts.map((verdict) => ('reason' in verdict ? verdict.reason : ''));
  throw refused(`the gate takes neither the access token (${access ?? ''}) nor the id token (${id ?? ''})`);
}

/** Validates the id token (OpenID Connect Core 1.0, section 3.1.3.7). */
async function checkIdToken(
  idToken: string,
  flow: Flow,
  { idTokens, clientId }: IdTokenVerifiers,
): Promise<void> {
  try {
    await idTokens.verify(idToken);
  } catch (error) {
    throw refused(`the id token: ${reasonOf(error)}`);
  }
  const { nonce, azp } = readToken(idToken).payload;
  if (typeof nonce !== 'string' || !isSame(nonce, flow.nonce))
    throw refused('the id token has another nonce');
  if (azp !== undefined && azp !== clientId) throw refused('the id token is for another party');
}

async function validateIdToken(
  token: unknown,
  { issuer }: Flow,
  { gate }: IdTokenVerifiers,
): Promise<VerifiedIdToken | { readonly reason: string }> {
  if (typeof token !== 'string') return { reason: 'there is none' };
  try {
    const principal = await gate.verify(token);
    return principal.issuer === issuer ? { token, principal } : { reason: 'it is of another issuer' };
  } catch (error) {
    return { reason: reasonOf(error) };
  }
}

/**
 * Returns the reason of a rejection. The gate sends the same message to all callers and keeps the reason in
 * the cause.
 */
function reasonOf(error: unknown): string {
  const { cause } = error as { readonly cause?: unknown };
  return cause instanceof Error ? cause.message : 'unknown';
}

function refused(message: string): SignInFailure {
  return new SignInFailure('not_accepted', message);
}
