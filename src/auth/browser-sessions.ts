import { hash, randomBytes } from 'node:crypto';
import type {
  BrowserSessions,
  BrowserSessionStore,
  EndedSession,
  RenewedSession,
  SessionRenewal,
  StoredBrowserSession,
} from '../core/browser-session.js';
import type { Log } from '../core/log.js';
import type { RevokedToken } from '../core/session.js';
import { SignInFailure, type SignIns, type SignInTokens } from '../core/sign-in.js';
import type { Scheduler } from '../lib/clock.js';
import { singleFlight } from '../lib/single-flight.js';
import { LONGEST_TOKEN_MS, revokedSessionKey, revokedSubjectKey } from './revoked-sessions.js';
import { digestOf, type RevokedTokens } from './revoked-tokens.js';
import { createSessionEnds } from './session-ends.js';

/** The sessions of browsers of a process, which it closes when it ends. */
interface OpenedBrowserSessions extends BrowserSessions {
  /** Tries once more to end the sessions that the database did not end. */
  readonly close: () => Promise<void>;
}

interface BrowserSessionDeps {
  readonly store: BrowserSessionStore;
  readonly revoked: RevokedTokens;
  readonly clock: Scheduler;
  readonly log: Log;
}

/** Time for which one node reserves a renewal beyond the maximum duration of its requests, in milliseconds. */
const RESERVATION_MARGIN_MS = 5_000;
/** Interval of the search for the renewal of another node, in milliseconds. */
const POLL_MS = 200;

/** The tokens of a session, which the store keeps encrypted. */
type SealedTokens = Pick<SignInTokens, 'token' | 'principal' | 'idToken' | 'refreshToken'>;

/**
 * Creates the sessions of browsers. The cookie of a session is a random text; the store keeps its digest, and
 * the tokens encrypted with a key that needs the cookie.
 */
export function createBrowserSessions(deps: BrowserSessionDeps): OpenedBrowserSessions {
  const { store, revoked, clock } = deps;
  const now = (): number => Math.floor(clock.now());
  const ends = createSessionEnds(clock);
  const renewOnce = createRenewal(deps);

  const renew = singleFlight(renewOnce, ({ cookie, sentToken }) => JSON.stringify([cookie, sentToken]));

  return {
    async start(tokens, signIns) {
      const cookie = randomBytes(32).toString('base64url');
      const { maxSeconds } = signIns.lifetimes;
      const { principal, sid = null } = tokens;
      const base = {
        id: idOf(cookie),
        issuer: principal.issuer,
        subject: principal.subject,
        sid,
        startedAt: now(),
        activeAt: now(),
        endsAt: now() + maxSeconds * 1000,
      };
      await store.create({ ...base, ...sealedOf(tokens, { cookie, signIns }), revision: 0 }, now());
      return { cookie, maxAge: maxSeconds };
    },
    renew: (renewal) =>
      ends.isWaiting(idOf(renewal.cookie))
        ? Promise.resolve({ state: 'ended', reason: 'the person has signed out' })
        : renew(renewal),
    end: (cookie, signIns) => ends.run(idOf(cookie), () => endByCookie(cookie, signIns, deps)),
    async endAtProvider({ issuer, sid, subject, issuedAt }) {
      const until = now() + LONGEST_TOKEN_MS;
      const key =
        sid !== undefined
          ? revokedSessionKey(issuer, sid)
          : revokedSubjectKey(issuer, subject ?? '', issuedAt);
      const filter = sid !== undefined ? { issuer, sid } : { issuer, subject: subject ?? '' };
      const removeAll = async (): Promise<number> => {
        const sessions = await store.removeAll(filter);
        await revoked.endAll(sessions.map(currentToken));
        return sessions.length;
      };
      // The tokens are refused here at once, also if the database is away.
      const revoking = revoked.endAll([{ digest: key, until }]);
      const [removed] = await Promise.allSettled([ends.run(key, removeAll), revoking]);
      await revoking;
      if (removed.status === 'rejected') throw removed.reason;
      return removed.value;
    },
    close: () => ends.close(),
  };
}

/** Ends the session of a cookie, with its current token and its id token. */
async function endByCookie(
  cookie: string,
  signIns: SignIns,
  { store, revoked }: BrowserSessionDeps,
): Promise<EndedSession | undefined> {
  const session = await store.find(idOf(cookie));
  if (!session) return undefined;
  const { issuer, subject, tokenUntil: until } = session;
  const idToken = tokensOf(session, { cookie, signIns })?.idToken;
  await endSession(session, { store, revoked });
  // The browser sends the id token to the provider in a URL, and an issuer may accept it as a bearer token.
  if (idToken !== undefined) await revoked.endAll([{ digest: digestOf(idToken), until }]);
  return { issuer, subject, ...(idToken !== undefined && { idToken }) };
}

/** Ends a session, so that also its current token is refused. */
async function endSession(
  session: StoredBrowserSession,
  { store, revoked }: Pick<BrowserSessionDeps, 'store' | 'revoked'>,
): Promise<void> {
  await store.remove(session.id);
  await revoked.endAll([currentToken(session)]);
}

async function endWith(
  session: StoredBrowserSession,
  reason: string,
  deps: BrowserSessionDeps,
): Promise<RenewedSession> {
  await endSession(session, deps);
  const { issuer, subject } = session;
  return { state: 'ended', reason, session: { issuer, subject } };
}

interface Reserved {
  readonly session: StoredBrowserSession;
  readonly tokens: SealedTokens;
  readonly renewal: SessionRenewal;
}

function createRenewal(deps: BrowserSessionDeps): (renewal: SessionRenewal) => Promise<RenewedSession> {
  const { store, revoked, clock } = deps;
  const now = (): number => Math.floor(clock.now());

  async function renewOnce(renewal: SessionRenewal): Promise<RenewedSession> {
    for (;;) {
      const session = await store.find(idOf(renewal.cookie));
      if (!session) return { state: 'ended', reason: 'the browser has no session' };
      const activeAt = Math.max(session.activeAt, now() - renewal.idleSeconds * 1000);
      const next = { ...session, activeAt };
      const reason = endOf(next, renewal.signIns, now());
      if (reason !== undefined) return endWith(session, reason, deps);
      const tokens = tokensOf(session, renewal);
      if (!tokens) return endWith(session, 'the key that seals sessions has changed', deps);
      // Another tab or node has renewed the session in the meantime.
      if (isUsable(tokens, renewal, now())) return renewedOf(tokens, next, renewal);
      if (await store.reserve(session, now(), now() + reservationMs(session, renewal)))
        return renewReserved({ session: next, tokens, renewal });
      await new Promise<void>((resolve) => {
        clock.after(POLL_MS, resolve);
      });
    }
  }

  async function renewReserved({ session, tokens, renewal }: Reserved): Promise<RenewedSession> {
    const { issuer, subject } = session;
    const { refreshToken } = tokens;
    if (refreshToken === undefined)
      return endWith(session, 'the identity provider gave no refresh token', deps);
    try {
      const renewed = await renewal.signIns.renew(issuer, subject, refreshToken);
      const sealed = { ...tokens, ...renewed };
      const next = nextOf(session, sealed, renewal);
      if (await store.replace(next)) return renewedOf(sealed, next, renewal);
      await revoked.endAll([currentToken(next)]);
      return { state: 'ended', reason: 'the session was ended during its renewal' };
    } catch (error) {
      return afterFailure(error, session, deps);
    }
  }

  return renewOnce;
}

/** Releases the session after a renewal that a later attempt may repeat, and ends it after a refusal. */
async function afterFailure(
  error: unknown,
  session: StoredBrowserSession,
  deps: BrowserSessionDeps,
): Promise<RenewedSession> {
  const { store, log } = deps;
  const { issuer } = session;
  if (error instanceof SignInFailure && error.problem !== 'issuer_unavailable') {
    log.info('identity provider refuses to renew a session; ending the session', {
      issuer,
      reason: error.message,
    });
    return endWith(session, 'the identity provider does not renew the session', deps);
  }
  await store.release(session);
  if (!(error instanceof SignInFailure)) throw error;
  log.warn('session renewal failed; the next request tries again', { issuer, reason: error.message });
  return { state: 'unavailable' };
}

/** Returns the time for which a renewal is reserved: a second use of a refresh token would end the session. */
function reservationMs({ issuer }: StoredBrowserSession, { signIns }: SessionRenewal): number {
  return signIns.renewalMs(issuer) + RESERVATION_MARGIN_MS;
}

function idOf(cookie: string): string {
  return hash('sha256', cookie, 'base64url');
}

function currentToken({ tokenDigest, tokenUntil }: StoredBrowserSession): RevokedToken {
  return { digest: tokenDigest, until: tokenUntil };
}

/** Returns the reason why a session has ended; `undefined` if it has not. */
function endOf(
  { startedAt, activeAt, endsAt }: StoredBrowserSession,
  { lifetimes: { idleSeconds, maxSeconds } }: SignIns,
  now: number,
): string | undefined {
  if (now >= Math.min(endsAt, startedAt + maxSeconds * 1000))
    return 'the session has reached its maximum time';
  return now - activeAt >= idleSeconds * 1000 ? 'the session was idle for too long' : undefined;
}

/** Returns the tokens of a session; `undefined` if another key sealed them. */
function tokensOf(
  { sealed }: StoredBrowserSession,
  { cookie, signIns }: Pick<SessionRenewal, 'cookie' | 'signIns'>,
): SealedTokens | undefined {
  const text = signIns.sessionCipher(cookie).decrypt(sealed);
  // The encryption is authenticated, so the text is unchanged.
  return text === undefined ? undefined : (JSON.parse(text) as SealedTokens);
}

function sealedOf(
  { token, principal, idToken, refreshToken }: SealedTokens,
  { cookie, signIns }: Pick<SessionRenewal, 'cookie' | 'signIns'>,
): Pick<StoredBrowserSession, 'sealed' | 'tokenDigest' | 'tokenUntil'> {
  const tokens = { token, principal, idToken, refreshToken };
  return {
    sealed: signIns.sessionCipher(cookie).encrypt(JSON.stringify(tokens)),
    tokenDigest: digestOf(token),
    tokenUntil: principal.expiresAt * 1000 + LONGEST_TOKEN_MS,
  };
}

function nextOf(
  session: StoredBrowserSession,
  tokens: SealedTokens,
  renewal: SessionRenewal,
): StoredBrowserSession {
  return { ...session, ...sealedOf(tokens, renewal), revision: session.revision + 1 };
}

/** Returns true if the browser does not have the current token of its session, and that token is valid. */
function isUsable({ token, principal }: SealedTokens, { sentToken }: SessionRenewal, now: number): boolean {
  return token !== sentToken && now < principal.expiresAt * 1000;
}

function renewedOf(
  { token, principal }: SealedTokens,
  { endsAt, activeAt }: StoredBrowserSession,
  { signIns }: SessionRenewal,
): RenewedSession {
  return {
    state: 'renewed',
    token,
    principal,
    endsAt: Math.min(endsAt, activeAt + signIns.lifetimes.idleSeconds * 1000),
  };
}
