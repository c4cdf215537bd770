import type { Socket } from 'node:net';
import { finished } from 'node:stream';
import type { Scheduler } from '../../core/lib/clock.js';
import { Problem } from '../../core/problem.js';
import type { ByteStream } from '../../core/stream.js';

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

/** Creates a tracker without streams. */
export function createActiveStreams({ scheduler, idleMs, drainMs }: ActiveStreamOptions): ActiveStreams {
  const running = new Set<ByteStream>();
  let onAllEnded = (): void => undefined;
  return {
    track(stream, socket, onEnd) {
      running.add(stream);
      const stopIdleTimer = watchIdle(socket, { scheduler, idleMs }, () => {
        stream.destroy(new Problem('upstream_timeout', `no byte in either direction for ${idleMs} ms`));
      });
      finished(stream, () => {
        stopIdleTimer();
        running.delete(stream);
        onEnd();
        if (running.size === 0) onAllEnded();
      });
    },
    async drain() {
      if (running.size === 0) return;
      const ended = new Promise<void>((resolve) => {
        onAllEnded = resolve;
      });
      const cancel = scheduler.after(drainMs, () => {
        const reason = new Problem('adapter_unavailable', 'the adapter was stopped or replaced');
        for (const stream of running) stream.destroy(reason);
      });
      await ended;
      cancel();
    },
  };
}

/** Calls `onIdle` when the byte counters of a connection stop changing. Counters cost nothing per byte. */
function watchIdle(
  socket: Socket,
  { scheduler, idleMs }: Pick<ActiveStreamOptions, 'scheduler' | 'idleMs'>,
  onIdle: () => void,
): () => void {
  const count = (): number => socket.bytesRead + socket.bytesWritten;
  let previousBytes = count();
  let cancel = (): void => undefined;
  const checkBytes = (): void => {
    const bytes = count();
    if (bytes === previousBytes) {
      onIdle();
      return;
    }
    previousBytes = bytes;
    cancel = scheduler.after(idleMs, checkBytes);
  };
  cancel = scheduler.after(idleMs, checkBytes);
  return () => {
    cancel();
  };
}
