import type { HttpLimits, OpenHttpClient } from '../../core/http.js';
import type { TokenVerifier } from '../../core/principal.js';
import { SignInFailure, type SignIns, withCaller } from '../../core/sign-in.js';
import type { Clock } from '../../lib/clock.js';
import type { SessionLifetimes, SignInSettings } from '../../settings/settings.js';
import { ISSUER_LIMITS, signInLimits } from '../fetch-keys.js';
import type { ConfiguredIssuer, Issuer } from '../issuer.js';
import { createVerifier } from '../verifier.js';
import { chooseToken, notAccepted } from './choose-token.js';
import { ClientFailure } from './client-failure.js';
import type { OidcClient } from './client-types.js';
import { openOidcClient } from './client.js';
import { challengeOf, type Flow, FLOW_SECONDS, createFlow, resumeFlow } from './flow.js';
import { createLogoutTokens } from './logout-token.js';
import { createSessionCipher, createStateCipher, type SealKey } from './seal.js';

interface SignInDeps {
  readonly openHttpClient: OpenHttpClient;
  readonly gate: TokenVerifier;
  readonly clock: Clock;
  /** Limits of one request to a token endpoint; default: those of the settings, and 256 KiB. */
  readonly limits?: HttpLimits;
  /** Maximum length of an ID token, in characters; default: 8192. */
  readonly maxTokenLength?: number | undefined;
}

interface SignInOptions {
  readonly issuers: readonly ConfiguredIssuer[];
  readonly publicUrl: string | null;
  /** Key material that seals pending sign-ins and the tokens of sessions. */
  readonly secret?: SealKey;
  /** Lifetimes of sessions; default: an hour idle, and 12 hours in all. */
  readonly lifetimes?: SessionLifetimes;
}

const DEFAULT_LIFETIMES: SessionLifetimes = { idleSeconds: 3600, maxSeconds: 43_200 };

/** Sign-ins that own the connections to their providers. */
export interface ClosableSignIns extends SignIns {
  close(): Promise<void>;
}

interface Provider {
  readonly settings: SignInSettings;
  readonly client: OidcClient;
  readonly idTokens: TokenVerifier;
  /** The issuer with the client as audience, for id tokens and logout tokens. */
  readonly clientIssuer: Issuer;
}

/** Path to which providers redirect browsers. */
export const CALLBACK_PATH = '/console/oidc/callback';
/** Path to which providers redirect browsers after a sign-out. */
const SIGNED_OUT_PATH = '/ui/sign-in';

/** Creates the sign-ins for the issuers with `signIn`. Opens no connection. */
export function openSignIns(
  { issuers, publicUrl, secret, lifetimes = DEFAULT_LIFETIMES }: SignInOptions,
  deps: SignInDeps,
): ClosableSignIns {
  const { gate, clock } = deps;
  const publicOrigin = publicUrl === null ? '' : new URL(publicUrl).origin;
  const redirectUri = publicOrigin + CALLBACK_PATH;
  const cipher = createStateCipher(secret);
  const providers = new Map(issuers.flatMap((issuer) => openProvider(issuer, deps)));

  async function complete(parameters: URLSearchParams, flow: Flow): ReturnType<SignIns['finish']> {
    const { settings, client, idTokens } = providerOf(providers, flow.issuer);
    const { authorization_response_iss_parameter_supported: namesIssuer } = await client
      .metadata()
      .catch(asSignInFailure);
    requireCode(parameters, flow, namesIssuer === true);
    const { state, nonce, codeVerifier } = flow;
    const tokens = await client
      .exchangeCode(parameters, { redirectUri, state, nonce, codeVerifier })
      .catch(asSignInFailure);
    const verified = await chooseToken(tokens, flow.issuer, {
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
    lifetimes,
    async begin(issuer, returnTo, prompt) {
      const { settings, client } = providerOf(providers, issuer);
      const flow = createFlow(issuer, returnTo, clock);
      const location = await client
        .authorizationUrl(authorizationParameters(flow, { settings, redirectUri, prompt }))
        .catch(asSignInFailure)
        .catch(withContext({ issuer, returnTo }));
      return {
        location,
        state: flow.state,
        sealed: cipher.encrypt(JSON.stringify(flow)),
        lifeSeconds: FLOW_SECONDS,
      };
    },
    async finish(parameters, sealed) {
      const flow = resumeFlow({ sealed, state: parameters.get('state') ?? '' }, cipher, clock);
      return complete(parameters, flow).catch(withContext(flow));
    },
    ...sessionFunctions(providers, { gate, clock, publicOrigin }),
    sessionCipher: (cookie) => createSessionCipher(secret, cookie),
    async close() {
      await Promise.all([...providers.values()].map(({ client }) => client.close()));
    },
  };
}

function providerOf(providers: ReadonlyMap<string, Provider>, issuer: string): Provider {
  const provider = providers.get(issuer);
  if (!provider) throw new SignInFailure('issuer_unknown', 'this issuer has no sign-in');
  return provider;
}

interface SessionContext extends Pick<SignInDeps, 'gate' | 'clock'> {
  readonly publicOrigin: string;
}

/** Requests of a renewal with the time-out of the sign-in: metadata and tokens. */
const SIGN_IN_REQUESTS = 2;
/** Requests of a renewal that check the new tokens: metadata and keys, and metadata and introspection. */
const ISSUER_REQUESTS = 4;

/** Creates the functions for a session after its sign-in. */
function sessionFunctions(
  providers: ReadonlyMap<string, Provider>,
  { gate, clock, publicOrigin }: SessionContext,
): Pick<SignIns, 'renew' | 'renewalMs' | 'signOutUrl' | 'verifyLogoutToken'> {
  const logoutTokens = createLogoutTokens((issuer) => providers.get(issuer)?.clientIssuer, clock);
  return {
    async renew(issuer, subject, refreshToken) {
      const { settings, client, idTokens } = providerOf(providers, issuer);
      const tokens = await client.refresh(refreshToken).catch(asSignInFailure);
      const verifiers = { gate, idTokens, clientId: settings.clientId };
      const renewed = await chooseToken(tokens, issuer, verifiers);
      if (renewed.principal.subject !== subject) throw notAccepted('the new token has another subject');
      return renewed;
    },
    renewalMs(issuer) {
      const settings = providers.get(issuer)?.settings;
      if (!settings) return 0;
      return SIGN_IN_REQUESTS * signInLimits(settings).totalMs + ISSUER_REQUESTS * ISSUER_LIMITS.totalMs;
    },
    async signOutUrl(issuer, idToken) {
      const provider = providers.get(issuer);
      if (!provider?.settings.endSession) return undefined;
      return provider.client.endSessionUrl({
        id_token_hint: idToken,
        post_logout_redirect_uri: publicOrigin + SIGNED_OUT_PATH,
      });
    },
    verifyLogoutToken: (token) =>
      logoutTokens.verify(token).catch((error: unknown) => {
        throw notAccepted(error instanceof Error ? error.message : 'unknown');
      }),
  };
}

function openProvider({ rules, keys, ca }: ConfiguredIssuer, deps: SignInDeps): [string, Provider][] {
  const { issuer, signIn: settings, clockToleranceSeconds } = rules;
  if (!settings) return [];
  const { clientId, clientSecret } = settings;
  const { clock, maxTokenLength, limits = signInLimits(settings) } = deps;
  const clientSettings = { issuer, clientId, clientSecret, ca, clockToleranceSeconds };
  const client = openOidcClient(clientSettings, { ...deps, limits });
  // The audience of an id token is the client (OpenID Connect Core 1.0, section 2), not that of requests.
  const idTokenRules = { ...rules, audience: [clientId], requiredClaims: {}, acceptIdTokens: true };
  const clientIssuer = { rules: idTokenRules, keys };
  const idTokens = createVerifier({ issuers: [clientIssuer], clock, cacheSize: 0, maxTokenLength });
  return [[issuer, { settings, client, idTokens, clientIssuer }]];
}

interface AuthorizationTerms {
  readonly settings: SignInSettings;
  readonly redirectUri: string;
  readonly prompt: string | undefined;
}

function authorizationParameters(
  flow: Flow,
  { settings, redirectUri, prompt }: AuthorizationTerms,
): Readonly<Record<string, string>> {
  return {
    redirect_uri: redirectUri,
    scope: [...new Set(['openid', ...settings.scopes])].join(' '),
    state: flow.state,
    nonce: flow.nonce,
    code_challenge: challengeOf(flow),
    code_challenge_method: 'S256',
    ...(prompt !== undefined && { prompt }),
  };
}

/**
 * Checks that the provider's redirect contains one code of this issuer. Throws `issuer_mismatch` (RFC 9207
 * section 2.4) or `denied`.
 */
function requireCode(parameters: URLSearchParams, { issuer }: Flow, namesIssuer: boolean): void {
  const issuers = parameters.getAll('iss');
  if (issuers.length > 1 || (issuers.length === 0 ? namesIssuer : issuers[0] !== issuer))
    throw new SignInFailure('issuer_mismatch', 'the response names another issuer, or no issuer');
  const [code = '', ...others] = parameters.getAll('code');
  if (parameters.has('error'))
    throw new SignInFailure('denied', `the issuer returned the error ${providerErrorOf(parameters)}`);
  if (code === '' || others.length > 0) throw new SignInFailure('denied', 'the issuer returned no code');
}

/** Maximum length of the provider's description of an error in the log, in characters. */
const DESCRIPTION_LENGTH = 300;

/** Returns the provider's error and its description (RFC 6749 section 4.1.2.1), for the log. */
function providerErrorOf(parameters: URLSearchParams): string {
  // Anybody can send these parameters, so the log gets printable ASCII of limited length.
  const [error = '', description = ''] = ['error', 'error_description'].map((name) =>
    (parameters.get(name) ?? '').replaceAll(/[^ -~]/g, '?').slice(0, DESCRIPTION_LENGTH),
  );
  return description === '' ? error : `${error}: ${description}`;
}

/** Converts a failure of the OpenID Connect client to that of a sign-in. */
function asSignInFailure(error: unknown): never {
  if (!(error instanceof ClientFailure)) throw error;
  throw new SignInFailure(
    error.kind === 'unavailable' ? 'issuer_unavailable' : 'not_accepted',
    error.message,
  );
}

/** Creates a handler that adds the issuer and the requested page to a failure. */
function withContext({ issuer, returnTo }: Pick<Flow, 'issuer' | 'returnTo'>): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof SignInFailure)) throw error;
    const { problem, message, caller } = error;
    throw withCaller(new SignInFailure(problem, message, { issuer, returnTo }), caller);
  };
}
