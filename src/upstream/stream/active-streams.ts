import type { Socket } from 'node:net';
import { finished } from 'node:stream';
import type { Scheduler } from '../../core/lib/clock.js';
import { Problem } from '../../core/problem.js';
import type { ByteStream } from '../../core/stream.js';

/** The running streams of an adapter. */
export interface RunningStreams {
  /** Tracks a stream and its connection until the stream ends for any reason. */
  watch(stream: ByteStream, socket: Socket, onEnd: () => void): void;
  /** Resolves when all streams have ended; terminates streams that last longer than `drainMs`. */
  drain(): Promise<void>;
}

export interface RunningOptions {
  readonly scheduler: Scheduler;
  /** Maximum time without a byte in either direction; in the worst case, twice as long. */
  readonly idleMs: number;
  readonly drainMs: number;
}

/** Creates a tracker without streams. */
export function createRunningStreams({ scheduler, idleMs, drainMs }: RunningOptions): RunningStreams {
  const running = new Set<ByteStream>();
  let onLast = (): void => undefined;
  return {
    watch(stream, socket, onEnd) {
      running.add(stream);
      const stopWatch = watchIdle(socket, { scheduler, idleMs }, () => {
        stream.destroy(new Problem('upstream_timeout', `no byte in either direction for ${idleMs} ms`));
      });
      finished(stream, () => {
        stopWatch();
        running.delete(stream);
        onEnd();
        if (running.size === 0) onLast();
      });
    },
    async drain() {
      if (running.size === 0) return;
      const ended = new Promise<void>((resolve) => {
        onLast = resolve;
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

/** Detects an idle connection by its byte counters, which costs nothing per byte. */
function watchIdle(
  socket: Socket,
  { scheduler, idleMs }: Pick<RunningOptions, 'scheduler' | 'idleMs'>,
  onIdle: () => void,
): () => void {
  const count = (): number => socket.bytesRead + socket.bytesWritten;
  let before = count();
  let cancel = (): void => undefined;
  const look = (): void => {
    const now = count();
    if (now === before) {
      onIdle();
      return;
    }
    before = now;
    cancel = scheduler.after(idleMs, look);
  };
  cancel = scheduler.after(idleMs, look);
  return () => {
    cancel();
  };
}
