import type { StoredSession, SessionStore, TokenIssuer } from '../core/session.js';
import type { Scheduler } from '../lib/clock.js';
import type { LocalIssuer } from './local-issuer.js';
import { digestOf } from './revoked-tokens.js';
import { createWriteBuffer } from './write-buffer.js';

interface TokenIssuerOptions {
  readonly local: LocalIssuer;
  readonly scheduler: Scheduler;
  readonly store: SessionStore;
}

/** Token issuer that buffers sessions for the store. */
interface ClosableTokenIssuer extends TokenIssuer {
  close(): Promise<void>;
}

/** Number of characters of a token's id that a list of sessions shows. */
const SHOWN_ID_LENGTH = 8;

/**
 * Creates the issuer that exchanges logins for tokens of the built-in issuer. A login does not wait for the
 * store, because a write buffer stores its session.
 */
export function createTokenIssuer({ local, scheduler, store }: TokenIssuerOptions): ClosableTokenIssuer {
  const now = (): number => Math.floor(scheduler.now());
  const writeBuffer = createWriteBuffer<StoredSession>({
    write: (sessions) => store.keep(sessions, now()),
    scheduler,
  });
  return {
    give({ kind, name, roles, mark }, ttlSeconds) {
      const request = { subject: name, roles, ttlSeconds, account: mark };
      const { token, id, issuedAt, expiresAt } = local.issue(request);
      const shownId = `${id.slice(0, SHOWN_ID_LENGTH)}...`;
      const session = { id, user: name, kind, issuedAt, expiresAt, token: shownId };
      writeBuffer.add({ ...session, digest: digestOf(token) });
      return { token, expiresIn: ttlSeconds, session };
    },
    async sessions() {
      await writeBuffer.flush();
      return store.list(now());
    },
    close: () => writeBuffer.close(),
  };
}
