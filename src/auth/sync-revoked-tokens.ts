import type { Scheduler } from '../core/lib/clock.js';
import type { RevokedToken, SessionStore } from '../core/session.js';
import { digestOf, type RevokedTokens, type LocalRevokedTokens } from './revoked-tokens.js';
import { createRevocationPublisher } from './revocation-publisher.js';

export interface SharedEndedTokensOptions {
  readonly held: LocalRevokedTokens;
  readonly store: Pick<SessionStore, 'end' | 'endedBehind'>;
  readonly scheduler: Scheduler;
}

/** Revoked tokens that outlive the process and that other nodes share. */
export interface SyncedRevokedTokens extends RevokedTokens {
  /** Loads the tokens that other nodes revoked. Throws `store_unavailable`. */
  readonly poll: () => Promise<void>;
  close(): Promise<void>;
}

/**
 * Connects the revoked tokens of a process to the store, and loads all stored tokens first. Throws
 * `store_unavailable`.
 */
export async function syncRevokedTokens(options: SharedEndedTokensOptions): Promise<SyncedRevokedTokens> {
  const { held, store, scheduler } = options;
  const outbox = createRevocationPublisher<RevokedToken>({
    send: (tokens) => store.end(tokens, Math.floor(scheduler.now())),
    scheduler,
  });
  let seen = 0;

  async function look(): Promise<void> {
    const { tokens, mark } = await store.endedBehind(seen);
    held.add(tokens);
    seen = mark;
  }

  await look();
  return {
    has: held.has,
    all: held.all,
    onEnd: held.onEnd,
    async end(token, until) {
      const ended = { digest: digestOf(token), until };
      held.add([ended]);
      outbox.add(ended);
      await outbox.flush();
    },
    poll: look,
    close: () => outbox.close(),
  };
}
