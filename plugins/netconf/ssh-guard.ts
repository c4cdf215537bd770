import { Problem } from '../../src/core/problem.js';
import type { ByteTunnel } from '../../src/core/stream.js';
import { type Clock, monotonicScheduler } from '../../src/lib/clock.js';
import { PacedSocket } from './paced-socket.js';
import type { SshChannel } from './ssh-client.js';

const MIB = 1024 * 1024;

/**
 * Time in which a server may send what the limits permit. A session of an event stream may be quiet for months: the answers to
 * keepalives, and a warning in the error output now and then, must not end it.
 */
const COUNTED_MS = 3_600_000;

/** Maximum number of bytes that a server may send in this time without data of the session: the messages of SSH alone. */
const MAX_BYTES_WITHOUT_DATA = 4 * MIB;
/** Maximum number of bytes that wait to be sent to a server: `ssh2` answers its requests whether or not it reads. */
const MAX_UNREAD_BYTES = 16 * MIB;
/** Maximum size of the error output of a session in this time. Some servers write a warning there. */
const MAX_ERROR_OUTPUT_BYTES = MIB;

/** Limits for what a server sends by SSH besides the messages of the session. */
export interface SshGuard {
  /** Socket for `ssh2`. */
  readonly sock: PacedSocket;
  /**
   * Watches the channel of the session, and ends it with a Problem if the server exceeds a limit. Returns a function to call with
   * each piece of data of the session.
   */
  watch(channel: SshChannel): () => void;
}

/** Watches a connection. Calls `fail` if the server exceeds a limit before there is a channel. */
export function guardSsh(
  socket: ByteTunnel,
  fail: (problem: Problem) => void,
  clock: Clock = monotonicScheduler,
): SshGuard {
  let onExcess = fail;
  const withoutData = new RecentBytes(clock);
  const sock = new PacedSocket(socket);
  socket.on('data', (bytes: Buffer) => {
    if (withoutData.add(bytes) > MAX_BYTES_WITHOUT_DATA)
      onExcess(excess(`sent more than ${MAX_BYTES_WITHOUT_DATA} bytes of SSH without data of the session`));
    else if (sock.writableLength > MAX_UNREAD_BYTES)
      onExcess(excess(`asks, and does not read the ${MAX_UNREAD_BYTES} bytes of the answers`));
  });
  return {
    sock,
    watch(channel) {
      onExcess = (problem) => {
        // A channel of `ssh2` has no error of its own to be destroyed with.
        if (channel.listenerCount('error') > 0) channel.emit('error', problem);
        sock.destroy();
      };
      // `ssh2` would keep what arrives while nothing is read: beyond the window of the channel, and byte by byte.
      channel.on('pause', () => sock.pause());
      // The event comes late, after a pause that followed.
      channel.on('resume', () => {
        if (!channel.isPaused()) sock.resume();
      });
      const errorOutput = new RecentBytes(clock);
      channel.stderr.on('data', (bytes: Buffer) => {
        if (errorOutput.add(bytes) > MAX_ERROR_OUTPUT_BYTES)
          onExcess(excess(`wrote more than ${MAX_ERROR_OUTPUT_BYTES} bytes of error output`));
      });
      return () => {
        withoutData.clear();
      };
    },
  };
}

/** Counts bytes, and begins again when the count is an hour old. */
class RecentBytes {
  readonly #clock: Clock;
  #count = 0;
  #since: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#since = clock.now();
  }

  /** Adds bytes, and returns the count. */
  add({ length }: Buffer): number {
    if (this.#clock.now() - this.#since >= COUNTED_MS) this.clear();
    return (this.#count += length);
  }

  clear(): void {
    this.#count = 0;
    this.#since = this.#clock.now();
  }
}

function excess(what: string): Problem {
  return new Problem('upstream_too_large', `the server ${what}`);
}
