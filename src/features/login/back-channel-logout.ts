import type { Operation } from '../../core/operation.js';
import type { CallerIdentity } from '../../core/principal.js';
import { Problem, withExtras } from '../../core/problem.js';
import { type LogoutNotice, SignInFailure } from '../../core/sign-in.js';
import type { LoginDeps } from './deps.js';

interface LogoutRequest {
  readonly logout_token: string;
}

/** Maximum length of a logout token, in characters. */
const MAX_LOGOUT_TOKEN_LENGTH = 8192;

const logoutRequestSchema = {
  title: 'Logout request',
  type: 'object',
  required: ['logout_token'],
  properties: {
    logout_token: {
      type: 'string',
      minLength: 1,
      maxLength: MAX_LOGOUT_TOKEN_LENGTH,
      description: 'Logout token of the identity provider',
    },
  },
} as const;

/**
 * Ends the sessions that an identity provider has ended (OpenID Connect Back-Channel Logout 1.0): those of browsers,
 * and every token of the session or the subject, in all processes and on all nodes.
 */
export const backChannelLogout: Operation<LoginDeps, LogoutRequest> = {
  id: 'backChannelLogout',
  summary: 'Delete the sessions that an identity provider has ended (OpenID Connect Back-Channel Logout).',
  description:
    'Ends every session and revokes every token that the logout token of an identity provider names, on all nodes.',
  problems: ['logout_token_invalid', 'too_many_requests', 'issuer_unavailable'],
  method: 'POST',
  path: '/console/oidc/back-channel-logout',
  roles: 'public',
  body: logoutRequestSchema,
  form: true,
  reply: {
    title: 'Ended sessions',
    type: 'object',
    required: ['ended'],
    properties: { ended: { type: 'integer', description: 'Number of sessions of browsers that were ended' } },
  },
  replyHeaders: { 'cache-control': '`no-store`, as the specification of the logout requires' },
  audited: true,
  onlyRevokes: true,
  async handle({ body: { logout_token: token }, address }, { lease, sessions, log }) {
    const notice = await lease(({ logins, signIns }) =>
      logins.guess(address, () => signIns.verifyLogoutToken(token)),
    ).catch((error: unknown) => {
      if (!(error instanceof SignInFailure)) throw error;
      log.warn('logout token of an identity provider was refused', { reason: error.message, address });
      throw new Problem('logout_token_invalid', 'The logout token is not valid.', {
        error: 'invalid_request',
        headers: { 'cache-control': 'no-store' },
        outcome: `logout_token_invalid, from ${address}`,
      });
    });
    const ended = await sessions.endAtProvider(notice).catch(endedLocallyOnly(notice, address));
    return {
      body: { ended },
      caller: callerOf(notice),
      outcome: `signed out by the identity provider, ${describe(notice)}, ${ended} sessions of browsers, from ${address}`,
      headers: { 'cache-control': 'no-store' },
    };
  },
};

/** Creates a handler for sessions whose tokens only this server refuses. The provider may repeat its request. */
function endedLocallyOnly(notice: LogoutNotice, address: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof Problem) || error.code !== 'store_unavailable') throw error;
    const detail =
      'This server refuses the tokens from now on. The sessions end, and the other servers refuse the tokens, when the database is available again.';
    const outcome = `${error.code}, signed out at this server by the identity provider, ${describe(notice)}, from ${address}`;
    throw withExtras(error, { caller: callerOf(notice), outcome }, detail);
  };
}

/** Returns the caller for the audit record. A notice that names only a session has no subject. */
function callerOf({ issuer, subject = '' }: LogoutNotice): CallerIdentity {
  return { subject, issuer };
}

function describe({ issuer, sid, subject }: LogoutNotice): string {
  const who = subject ?? 'unknown subject';
  return sid === undefined ? `all sessions of ${who} of ${issuer}` : `one session of ${who} of ${issuer}`;
}
