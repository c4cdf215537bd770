import type { Socket } from 'node:net';
import { finished } from 'node:stream';
import { Problem } from '../../core/problem.js';
import type { ByteStream } from '../../core/stream.js';
import type { Scheduler } from '../../lib/clock.js';

/** The running streams of an adapter. */
export interface ActiveStreams {
  /** Tracks a stream and its connection until the stream ends for any reason. */
  track(stream: ByteStream, socket: Socket, onEnd: () => void): void;
  /** Resolves when all streams have ended; terminates streams that last longer than `drainMs`. */
  drain(): Promise<void>;
}

interface ActiveStreamOptions {
  readonly scheduler: Scheduler;
  /** Maximum time without a byte in either direction; in the worst case, twice as long. */
  readonly idleMs: number;
  readonly drainMs: number;
}

/** A running stream, its connection, and the bytes of the connection at the last check; undefined before the first. */
interface RunningStream {
  readonly stream: ByteStream;
  readonly socket: Socket;
  bytes: number | undefined;
}

/** Creates a tracker without streams. One timer checks all of them. */
export function createActiveStreams({ scheduler, idleMs, drainMs }: ActiveStreamOptions): ActiveStreams {
  const running = new Set<RunningStream>();
  let onAllEnded = (): void => undefined;
  let cancelCheck: (() => void) | undefined;
  const check = (): void => {
    cancelCheck = running.size === 0 ? undefined : scheduler.after(idleMs, check);
    for (const state of running)
      if (isIdle(state))
        state.stream.destroy(new Problem('upstream_timeout', `no byte in either direction for ${idleMs} ms`));
  };
  return {
    track(stream, socket, onEnd) {
      const state: RunningStream = { stream, socket, bytes: undefined };
      running.add(state);
      cancelCheck ??= scheduler.after(idleMs, check);
      onceEnded(stream, () => {
        running.delete(state);
        onEnd();
        if (running.size === 0) onAllEnded();
      });
    },
    async drain() {
      if (running.size > 0) {
        const ended = new Promise<void>((resolve) => {
          onAllEnded = resolve;
        });
        const cancel = scheduler.after(drainMs, () => {
          const reason = new Problem('adapter_unavailable', 'the adapter was stopped or replaced');
          for (const { stream } of running) stream.destroy(reason);
        });
        await ended;
        cancel();
      }
      cancelCheck?.();
    },
  };
}

/** Returns true if the byte counters of a connection have not changed since the last check. They cost nothing per byte. */
function isIdle(state: RunningStream): boolean {
  const { bytesRead, bytesWritten } = state.socket;
  const bytes = bytesRead + bytesWritten;
  const isUnchanged = bytes === state.bytes;
  state.bytes = bytes;
  return isUnchanged;
}

/**
 * Calls a function when a stream has ended for any reason. A failure without another listener does not end the process.
 * `finished` of Node does the same with more listeners, but also for a stream that has already closed.
 */
export function onceEnded(stream: ByteStream, onEnd: () => void): void {
  if (stream.destroyed) finished(stream, onEnd);
  else stream.on('error', ignore).on('close', onEnd);
}

function ignore(): void {
  // The `close` event follows.
}
