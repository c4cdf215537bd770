import type { Clock } from '../../core/lib/clock.js';
import type { HttpClient, HttpLimits, OpenHttpClient } from '../../core/http.js';
import type { Log } from '../../core/log.js';
import type { CallerIdentity, TokenVerifier, Principal } from '../../core/principal.js';
import { Problem } from '../../core/problem.js';
import type { Secret } from '../../core/secret.js';
import type { SignInSettings } from '../../core/settings.js';
import { SignInFailure, type SignIns, withCaller } from '../../core/sign-in.js';
import { ISSUER_LIMITS } from '../fetch-keys.js';
import type { ConfiguredIssuer } from '../issuer.js';
import { createVerifier } from '../verifier.js';
import { createMetadataSource, exchangeCode, type ProviderMetadata } from './provider.js';
import {
  challengeOf,
  type Flow,
  FLOW_SECONDS,
  createFlow,
  resumeFlow,
  equalsInConstantTime,
} from './flow.js';
import { createStateCipher } from './state-cookie.js';
import type { JsonObject } from '../../core/json-object.js';
import { readToken } from '../token.js';

interface SignInDeps {
  readonly openHttpClient: OpenHttpClient;
  /** Verifier of the tokens of all requests. */
  readonly gate: TokenVerifier;
  readonly clock: Clock;
  readonly log: Log;
  /** Limits of one request to a token endpoint; default: those of the settings, and 256 KiB. */
  readonly limits?: HttpLimits;
  /** Maximum length of an ID token, in characters; default: 8192. */
  readonly maxTokenLength?: number | undefined;
}

interface SignInOptions {
  readonly issuers: readonly ConfiguredIssuer[];
  readonly publicUrl: string | null;
  readonly secret?: Secret | undefined;
}

/** Sign-ins that own the connections to their providers. */
export interface ClosableSignIns extends SignIns {
  close(): Promise<void>;
}

/** One identity provider of sign-ins. */
interface Provider {
  readonly settings: SignInSettings;
  readonly client: HttpClient;
  readonly metadata: () => Promise<ProviderMetadata>;
  readonly idTokens: TokenVerifier;
}

/** Path to which providers redirect browsers. */
const CALLBACK_PATH = '/console/oidc/callback';

/** Creates the sign-ins for the issuers with `signIn`. Opens no connection. */
export function openSignIns(
  { issuers, publicUrl, secret }: SignInOptions,
  deps: SignInDeps,
): ClosableSignIns {
  const { gate, clock, log } = deps;
  const publicOrigin = publicUrl === null ? '' : new URL(publicUrl).origin;
  const redirectUri = publicOrigin + CALLBACK_PATH;
  const cipher = createStateCipher(secret);
  const providers = new Map(issuers.flatMap((issuer) => openProvider(issuer, deps)));

  function providerOf(issuer: string): Provider {
    const provider = providers.get(issuer);
    if (!provider) throw new SignInFailure('issuer_unknown', 'this issuer has no sign-in');
    return provider;
  }

  async function complete(parameters: URLSearchParams, flow: Flow): ReturnType<SignIns['finish']> {
    const { settings, client, metadata: metadataOf, idTokens } = providerOf(flow.issuer);
    const metadata = await metadataOf().catch(unavailable);
    const code = authorizationCodeOf(parameters, flow, metadata);
    const limits = deps.limits ?? tokenEndpointLimits(settings);
    const answer = await exchangeCode({ code, flow, redirectUri, settings, metadata }, { client, limits });
    const verified = await chooseToken(answer, flow, {
      gate,
      idTokens,
      clientId: settings.clientId,
    });
    return { ...verified, returnTo: flow.returnTo };
  }

  return {
    publicOrigin,
    providers: [...providers].map(([issuer, { settings }]) => ({
      issuer,
      name: settings.name ?? new URL(issuer).host,
    })),
    async begin(issuer, returnTo) {
      const { settings, metadata: metadataOf } = providerOf(issuer);
      const metadata = await metadataOf().catch(unavailable).catch(logAndRethrow(log, { issuer, returnTo }));
      const flow = createFlow(issuer, returnTo, clock);
      const location = authorizationUrl(metadata, flow, { settings, redirectUri });
      return { location, sealed: cipher.encrypt(JSON.stringify(flow)), lifeSeconds: FLOW_SECONDS };
    },
    async finish(parameters, sealed) {
      const flow = resumeFlow({ sealed, state: parameters.get('state') ?? '' }, cipher, clock);
      return complete(parameters, flow).catch(logAndRethrow(log, flow));
    },
    async close() {
      await Promise.all([...providers.values()].map(({ client }) => client.close()));
    },
  };
}

function openProvider(
  { rules, keys, ca }: ConfiguredIssuer,
  { openHttpClient, clock, maxTokenLength }: SignInDeps,
): [string, Provider][] {
  const { issuer, signIn: settings } = rules;
  if (!settings) return [];
  const client = openHttpClient(ca === undefined ? {} : { tls: { ca } });
  // The audience of an id token is the client (OpenID Connect Core 1.0, section 2), not that of requests.
  const idTokenRules = { ...rules, audience: [settings.clientId], requiredClaims: {}, acceptIdTokens: true };
  const idTokenIssuer = { rules: idTokenRules, keys };
  const idTokens = createVerifier({ issuers: [idTokenIssuer], clock, cacheSize: 0, maxTokenLength });
  return [[issuer, { settings, client, metadata: createMetadataSource(issuer, client, clock), idTokens }]];
}

/** Default of the maximum duration of a request to a token endpoint, in seconds. */
const TOKEN_ENDPOINT_SECONDS = 10;

function tokenEndpointLimits({ timeoutSeconds = TOKEN_ENDPOINT_SECONDS }: SignInSettings): HttpLimits {
  return { ...ISSUER_LIMITS, totalMs: timeoutSeconds * 1000 };
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
 * Returns the code in the provider's redirect. Throws `issuer_mismatch` (RFC 9207 section 2.4) or `denied`.
 */
function authorizationCodeOf(
  parameters: URLSearchParams,
  { issuer }: Flow,
  { namesIssuer }: ProviderMetadata,
): string {
  const issuers = parameters.getAll('iss');
  if (issuers.length > 1 || (issuers.length === 0 ? namesIssuer : issuers[0] !== issuer))
    throw new SignInFailure('issuer_mismatch', 'the response names another issuer, or no issuer');
  const [code = '', ...others] = parameters.getAll('code');
  if (parameters.has('error') || code === '' || others.length > 0)
    throw new SignInFailure('denied', 'the issuer returned no code');
  return code;
}

function unavailable(error: unknown): never {
  const reason = error instanceof Error ? error.message : 'unknown';
  throw new SignInFailure('issuer_unavailable', reason);
}

/** Creates a handler that logs a failure and rethrows it with the page that the person requested. */
function logAndRethrow(
  log: Log,
  { issuer, returnTo }: Pick<Flow, 'issuer' | 'returnTo'>,
): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof SignInFailure)) throw error;
    const { problem, message, caller } = error;
    log.warn('a sign-in failed', { issuer, problem, reason: message });
    throw withCaller(new SignInFailure(problem, message, returnTo), caller);
  };
}

/** Verifiers for the tokens of one issuer. */
interface TokenVerifiers {
  /** Verifier of the tokens of all requests. A token that it rejects is useless to a browser. */
  readonly gate: TokenVerifier;
  /** Verifier of the id tokens of this issuer for this client. */
  readonly idTokens: TokenVerifier;
  readonly clientId: string;
}

/** A token that requests may use, and its principal. */
interface VerifiedToken {
  readonly token: string;
  readonly principal: Principal;
}

/**
 * Chooses the browser's token from the response of a token endpoint. The id token must be valid for this
 * sign-in. The choice is the access token if the verifier of requests accepts it, and the id token otherwise,
 * because some providers issue access tokens for other services. A token with roles takes precedence over a
 * token without roles. Throws `not_accepted` if the verifier accepts neither token.
 */
async function chooseToken(
  answer: JsonObject,
  flow: Flow,
  verifiers: TokenVerifiers,
): Promise<VerifiedToken> {
  const { id_token: idToken, access_token: accessToken } = answer;
  if (typeof idToken !== 'string') throw notAccepted('the response has no id_token');
  const caller = await checkIdToken(idToken, flow, verifiers);
  const results = await Promise.all([
    tryToken(accessToken, flow, verifiers),
    tryToken(idToken, flow, verifiers),
  ]);
  const accepted = results.flatMap((result) => ('token' in result ? [result] : []));
  const chosen = accepted.find(({ principal }) => principal.roles.length > 0) ?? accepted[0];
  if (chosen) return chosen;
  const [access, id] = results.map((result) => ('reason' in result ? result.reason : ''));
  const reasons = `neither the access token (${access ?? ''}) nor the id token (${id ?? ''})`;
  throw withCaller(notAccepted(`the verifier accepts ${reasons}`), caller);
}

/** Validates the id token (OpenID Connect Core 1.0, section 3.1.3.7), and returns the caller. */
async function checkIdToken(
  idToken: string,
  flow: Flow,
  { idTokens, clientId }: TokenVerifiers,
): Promise<CallerIdentity> {
  const caller = await verifyIdToken(idToken, idTokens);
  const { nonce, azp } = readToken(idToken, idToken.length).payload;
  if (typeof nonce !== 'string' || !equalsInConstantTime(nonce, flow.nonce))
    throw notAccepted('the id token has another nonce');
  if (azp !== undefined && azp !== clientId) throw notAccepted('the id token is for another party');
  return caller;
}

async function verifyIdToken(idToken: string, idTokens: TokenVerifier): Promise<CallerIdentity> {
  try {
    return await idTokens.verify(idToken);
  } catch (error) {
    // A token that cannot be checked is not the fault of the person.
    if (error instanceof Problem && error.code === 'issuer_unavailable') return unavailable(error.cause);
    throw notAccepted(`the id token: ${reasonOf(error)}`);
  }
}

async function tryToken(
  token: unknown,
  { issuer }: Flow,
  { gate }: TokenVerifiers,
): Promise<VerifiedToken | { readonly reason: string }> {
  if (typeof token !== 'string') return { reason: 'missing' };
  try {
    const principal = await gate.verify(token);
    return principal.issuer === issuer ? { token, principal } : { reason: 'from another issuer' };
  } catch (error) {
    return { reason: reasonOf(error) };
  }
}

/**
 * Returns the reason of a rejection, which is the cause of the error. The message of the error is the same
 * for all rejections.
 */
function reasonOf(error: unknown): string {
  const { cause } = error as { readonly cause?: unknown };
  return cause instanceof Error ? cause.message : 'unknown';
}

function notAccepted(message: string): SignInFailure {
  return new SignInFailure('not_accepted', message);
}
