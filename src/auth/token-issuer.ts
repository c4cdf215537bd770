import type { Scheduler } from '../core/lib/clock.js';
import type { StoredSession, SessionStore, TokenIssuer } from '../core/session.js';
import { digestOf } from './revoked-tokens.js';
import type { LocalIssuer } from './local-issuer.js';
import { createRevocationPublisher } from './write-buffer.js';

export interface TokenDeskOptions {
  readonly local: Pick<LocalIssuer, 'issue'>;
  readonly scheduler: Scheduler;
  readonly store: Pick<SessionStore, 'keep' | 'list'>;
}

/** Token issuer with sessions that are not yet stored. */
export interface OwnedTokenIssuer extends TokenIssuer {
  close(): Promise<void>;
}

/** Number of characters of a token's id that represent the token. */
const SHOWN = 8;

/**
 * Creates the issuer that exchanges logins for tokens of the built-in issuer. A login does not wait for the
 * store: its session is stored within a second, or as soon as possible.
 */
export function createTokenIssuer({ local, scheduler, store }: TokenDeskOptions): OwnedTokenIssuer {
  const now = (): number => Math.floor(scheduler.now());
  const outbox = createRevocationPublisher<StoredSession>({
    send: (sessions) => store.keep(sessions, now()),
    scheduler,
  });
  return {
    give({ kind, name, roles, mark }, ttlSeconds) {
      const request = { subject: name, roles, ttlSeconds, account: mark };
      const { token, id, issuedAt, expiresAt } = local.issue(request);
      const shown = `${id.slice(0, SHOWN)}...`;
      const session = { id, user: name, kind, issuedAt, expiresAt, token: shown };
      outbox.add({ ...session, digest: digestOf(token) });
      return { token, expiresIn: ttlSeconds, session };
    },
    async sessions() {
      await outbox.flush();
      return store.list(now());
    },
    close: () => outbox.close(),
  };
}
