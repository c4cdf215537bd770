import type { OpenHttpClient } from '../core/http.js';
import type { Log } from '../core/log.js';
import type { Principal, TokenVerifier } from '../core/principal.js';
import { Problem } from '../core/problem.js';
import { BoundedMap } from '../lib/bounded-map.js';
import { type Clock, elapsedSince } from '../lib/clock.js';
import { createCooldown } from '../lib/cooldown.js';
import { singleFlight } from '../lib/single-flight.js';
import type { ConfiguredIssuer } from './issuer.js';
import { ClientFailure } from './oidc/client-failure.js';
import type { OidcClient } from './oidc/client-types.js';
import { openOidcClient } from './oidc/client.js';
import { invalidToken, RejectedToken } from './rejected-token.js';

interface IntrospectionDeps {
  readonly openHttpClient: OpenHttpClient;
  readonly clock: Clock;
  readonly log: Log;
}

/** A verifier with the connections to the introspection endpoints. */
interface IntrospectingVerifier extends TokenVerifier {
  close(): Promise<void>;
}

/** Maximum number of tokens whose replies are cached, for each issuer. */
const MAX_CACHED_TOKENS = 10_000;
/** Time for which a failed request is not repeated for the same token, in milliseconds. */
const FAILURE_TTL_MS = 5_000;
/** Minimum interval between log lines about failed requests, in milliseconds. */
const LOG_INTERVAL_MS = 10_000;

/**
 * Adds the introspection of tokens (RFC 7662) to a verifier, for the issuers whose settings enable it. A token
 * must pass the verifier first, so that strangers cause no request to an issuer. Throws `unauthorized` for a
 * token that is not active, and `issuer_unavailable` while the issuer does not answer.
 */
export function withIntrospection(
  verifier: TokenVerifier,
  issuers: readonly ConfiguredIssuer[],
  deps: IntrospectionDeps,
): IntrospectingVerifier {
  const introspections = new Map(issuers.flatMap((issuer) => openIntrospection(issuer, deps)));
  if (introspections.size === 0)
    return { verify: (token) => verifier.verify(token), close: () => Promise.resolve() };

  function check(token: string, principal: Principal): Principal | Promise<Principal> {
    const known = introspections.get(principal.issuer)?.check(token);
    return known instanceof Promise ? known.then(() => principal) : principal;
  }

  return {
    verify(token) {
      const principal = verifier.verify(token);
      return principal instanceof Promise
        ? principal.then((verified) => check(token, verified))
        : check(token, principal);
    },
    async close() {
      await Promise.all([...introspections.values()].map(({ close }) => close()));
    },
  };
}

interface Introspection {
  /** Returns, or resolves, if the token is active; throws the Problem otherwise. */
  readonly check: (token: string) => Promise<void> | undefined;
  readonly close: () => Promise<void>;
}

/** Reply of an issuer about a token. */
interface CachedReply {
  /** `refused`: the issuer answers, and refuses the client of this server. */
  readonly state: 'active' | 'inactive' | 'refused' | 'unknown';
  /** Time of the reply, in milliseconds since 1970. */
  readonly at: number;
  /** Time for which the reply is used, in milliseconds. */
  readonly lifeMs: number;
}

function openIntrospection(
  { rules, ca }: ConfiguredIssuer,
  deps: IntrospectionDeps,
): [string, Introspection][] {
  const { issuer, introspection } = rules;
  if (!introspection) return [];
  const { clientId, clientSecret, cacheSeconds } = introspection;
  const { clock, log } = deps;
  const client: OidcClient = openOidcClient({ issuer, clientId, clientSecret, ca }, deps);
  const replies = new BoundedMap<string, CachedReply>({ maxEntries: MAX_CACHED_TOKENS });
  const remainingPause = createCooldown(clock, LOG_INTERVAL_MS);

  const ask = singleFlight(
    async (token: string): Promise<CachedReply> => {
      const reply = await client.isActive(token).then(
        (isActive): CachedReply => ({
          state: isActive ? 'active' : 'inactive',
          at: clock.now(),
          lifeMs: cacheSeconds * 1000,
        }),
        (error: unknown): CachedReply => {
          const reason = error instanceof Error ? error.message : 'unknown';
          if (remainingPause() === 0)
            log.warn('token introspection failed; refusing the tokens of the issuer', { issuer, reason });
          const isRefused = error instanceof ClientFailure && error.kind === 'refused';
          return { state: isRefused ? 'refused' : 'unknown', at: clock.now(), lifeMs: FAILURE_TTL_MS };
        },
      );
      replies.set(token, reply);
      return reply;
    },
    (token) => token,
  );

  return [
    [
      issuer,
      {
        check(token) {
          const known = replies.get(token);
          if (!known || elapsedSince(clock, known.at) >= known.lifeMs) return ask(token).then(requireActive);
          requireActive(known);
          return undefined;
        },
        close: () => client.close(),
      },
    ],
  ];
}

function requireActive({ state }: CachedReply): void {
  if (state === 'inactive')
    throw invalidToken(new RejectedToken('revoked', 'the issuer says that the token is not active'));
  if (state === 'active') return;
  const headers = { 'retry-after': String(FAILURE_TTL_MS / 1000) };
  const what = state === 'refused' ? 'refuses the login of this server' : 'does not answer';
  throw new Problem('issuer_unavailable', `The issuer of the token ${what}.`, { headers });
}
