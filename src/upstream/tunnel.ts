import type { Socket } from 'node:net';
import { Problem } from '../core/problem.js';

/** Largest head of a proxy's answer, in bytes. */
const HEAD_BYTES = 16_384;
const HEAD_END = '\r\n\r\n';

/**
 * Asks the proxy at the other end of a socket for a tunnel to `host:port` (RFC 9110 section 9.3.6); what is written
 * afterwards reaches the target. Throws `upstream_unreachable` when the proxy refuses, the signal's reason when it fires.
 */
export async function openTunnel(socket: Socket, authority: string, signal: AbortSignal): Promise<void> {
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}${HEAD_END}`);
  const head = await readHead(socket, signal);
  const status = /^HTTP\/1\.[01] (\d{3})(?: |\r)/.exec(head)?.[1];
  if (status === undefined) throw refused('does not speak HTTP');
  if (!status.startsWith('2')) throw refused(`answered with status ${status}`);
  // The target waits for us to speak first, so whatever came already is not its voice.
  if (!head.endsWith(HEAD_END) || head.indexOf(HEAD_END) !== head.length - HEAD_END.length)
    throw refused('sent bytes of its own through the tunnel');
}

/** Everything up to and including the first piece that completes a head. */
async function readHead(socket: Socket, signal: AbortSignal): Promise<string> {
  let head = '';
  return new Promise((resolve, reject) => {
    const settle = (outcome: () => void): void => {
      socket.off('data', onData).off('close', onClose).pause();
      signal.removeEventListener('abort', onAbort);
      outcome();
    };
    const onAbort = (): void => {
      settle(() => {
        reject(signal.reason as Error);
      });
    };
    const onClose = (): void => {
      settle(() => {
        reject(refused('closed the connection'));
      });
    };
    const onData = (chunk: Buffer): void => {
      head += chunk.toString('latin1');
      if (head.includes(HEAD_END))
        settle(() => {
          resolve(head);
        });
      else if (head.length > HEAD_BYTES)
        settle(() => {
          reject(refused('sent an answer without an end'));
        });
    };
    socket.on('data', onData).once('close', onClose);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

function refused(what: string): Problem {
  return new Problem('upstream_unreachable', `the proxy ${what}, so there is no way to the target`);
}
