import type { Clock } from '../domain/clock.js';
import type { Session, TokenDesk } from '../domain/session.js';
import type { LocalIssuer } from './local-issuer.js';

export interface TokenDeskOptions {
  readonly local: Pick<LocalIssuer, 'issue'>;
  readonly clock: Clock;
  /** Most sessions that are remembered; the oldest goes first. */
  readonly size?: number;
}

/** Characters of a token's id that stand for the token. */
const SHOWN = 8;

/** Makes the desk at which logins are exchanged for tokens of the built-in issuer. */
export function createTokenDesk({ local, clock, size = 10_000 }: TokenDeskOptions): TokenDesk {
  const sessions = new Map<string, Session>();

  function dropExpired(): void {
    const now = clock.now();
    for (const [id, { expiresAt }] of sessions) if (now >= expiresAt) sessions.delete(id);
  }

  function remember(session: Session): void {
    if (sessions.size >= size) dropExpired();
    sessions.set(session.id, session);
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
      remember(session);
      return { token, expiresIn: ttlSeconds, session };
    },
    sessions() {
      dropExpired();
      return [...sessions.values()];
    },
  };
}
