import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { Problem } from '../../../src/core/problem.js';
import { createSessionPool } from '../../../plugins/netconf/session-pool.js';
import type { Session } from '../../../plugins/netconf/session.js';

/** A session without a server; `lose` ends it. */
function sessionWithoutServer(): Session & { readonly lose: () => void } {
  let isOpen = true;
  const listeners: (() => void)[] = [];
  const close = (): void => {
    isOpen = false;
    for (const listener of listeners) listener();
  };
  return {
    capabilities: undefined as never,
    isOpen: () => isOpen,
    rpc: () => Promise.reject(new Error('the session has no server')),
    close,
    lose: close,
    onClose: (listener) => listeners.push(listener),
    onNotification: () => undefined,
  };
}

describe('the pool of NETCONF sessions', () => {
  it('connects again by itself, also if the timer fires a millisecond before the clock', async () => {
    let now = 0;
    const timers: { readonly ms: number; readonly work: () => void }[] = [];
    const scheduler = {
      now: () => now,
      after: (ms: number, work: () => void) => {
        timers.push({ ms, work });
        return () => undefined;
      },
    };
    let isAway = false;
    const opened: ReturnType<typeof sessionWithoutServer>[] = [];
    const pool = createSessionPool({
      open: () => {
        if (isAway) return Promise.reject(new Problem('upstream_unreachable', 'away'));
        const session = sessionWithoutServer();
        opened.push(session);
        return Promise.resolve(session);
      },
      maxSessions: 2,
      maxWaiting: 2,
      idleMs: 300_000,
      scheduler,
    });
    const { signal } = new AbortController();
    await pool.use(() => Promise.resolve(), signal);
    assert.equal(pool.connection().state, 'ONLINE');

    isAway = true;
    opened[0]?.lose();
    await assert.rejects(
      pool.use(() => Promise.resolve(), signal),
      { code: 'upstream_unreachable' },
    );
    assert.equal(pool.connection().state, 'OFFLINE');

    isAway = false;
    const retry = timers.at(-1);
    now += (retry?.ms ?? 0) - 1;
    retry?.work();
    await setImmediate();
    assert.equal(pool.connection().state, 'ONLINE');
    pool.close();
  });
});
