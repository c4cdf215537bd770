import { Problem } from '../../src/core/problem.js';
import type { ByteTunnel } from '../../src/core/stream.js';
import { PacedSocket } from './paced-socket.js';
import type { SshChannel } from './ssh-client.js';

const MIB = 1024 * 1024;

/** Maximum number of bytes that a server may send without data of the session: the messages of SSH alone. */
const MAX_BYTES_WITHOUT_DATA = 4 * MIB;
/** Maximum number of bytes that wait to be sent to a server: `ssh2` answers its requests whether or not it reads. */
const MAX_UNREAD_BYTES = 16 * MIB;
/** Maximum size of the error output of a session. Some servers write a warning there. */
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
export function guardSsh(socket: ByteTunnel, fail: (problem: Problem) => void): SshGuard {
  let onExcess = fail;
  let bytesWithoutData = 0;
  const sock = new PacedSocket(socket);
  socket.on('data', (bytes: Buffer) => {
    bytesWithoutData += bytes.length;
    if (bytesWithoutData > MAX_BYTES_WITHOUT_DATA)
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
      let errorBytes = 0;
      channel.stderr.on('data', (bytes: Buffer) => {
        errorBytes += bytes.length;
        if (errorBytes > MAX_ERROR_OUTPUT_BYTES)
          onExcess(excess(`wrote more than ${MAX_ERROR_OUTPUT_BYTES} bytes of error output`));
      });
      return () => {
        bytesWithoutData = 0;
      };
    },
  };
}

function excess(what: string): Problem {
  return new Problem('upstream_too_large', `the server ${what}`);
}
