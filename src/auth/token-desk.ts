import type { Clock } from '../domain/clock.js';
import type { Session, TokenDesk } from '../domain/session.js';
import { type EndedTokens, signedPart } from './ended-tokens.js';
import type { LocalIssuer } from './local-issuer.js';

export interface TokenDeskOptions {
  readonly local: Pick<LocalIssuer, 'issue'>;
  readonly clock: Clock;
  /** Tokens that are refused, whose sessions are over. */
  readonly ended?: Pick<EndedTokens, 'has'>;
  /** Most sessions that are remembered; the oldest goes first. */
  readonly size?: number;
}

/** Characters of a token's id that stand for the token. */
const SHOWN = 8;

/** Makes the desk at which logins are exchanged for tokens of the built-in issuer. */
export function createTokenDesk({ local, clock, ended, size = 10_000 }: TokenDeskOptions): TokenDesk {
  // By the signed part of the token, which is no token.
  const sessions = new Map<string, Session>();

  function dropOver(): void {
    const now = clock.now();
    for (const [part, { expiresAt }] of sessions)
      if (now >= expiresAt || ended?.has(`${part}.`)) sessions.delete(part);
  }

  function remember(token: string, session: Session): void {
    if (sessions.size >= size) dropOver();
    sessions.set(signedPart(token), session);
    for (const oldest of sessions.keys()) {
      if (sessions.size <= size) return;
      sessions.delete(oldest);
    }
  }

  return {
    give({ kind, name, roles }, ttlSeconds) {
      const { token, id, issuedAt, expiresAt } = local.issue({ subject: name, roles, ttlSeconds });
      const shown = `${id.slice(0, SHOWN)}...`;
      const session = { id, user: name, kind, issuedAt, expiresAt, token: shown };
      remember(token, session);
      return { token, expiresIn: ttlSeconds, session };
    },
    sessions() {
      dropOver();
      return [...sessions.values()];
    },
  };
}
