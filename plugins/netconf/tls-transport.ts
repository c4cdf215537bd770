import { Duplex } from 'node:stream';
import { connect } from 'node:tls';
import type { AdapterContext, ConnectTarget } from '../../src/core/adapter.js';
import { Problem } from '../../src/core/problem.js';
import type { Secret } from '../../src/core/secret.js';
import { transportFailureOf } from '../../src/core/transport-failure.js';
import { oneLine } from '../../src/lib/one-line.js';
import { destroyLater } from './destroy-later.js';
import type { Connected } from './session.js';

/** Settings of a TLS connection. */
interface TlsSettings extends ConnectTarget {
  /** Certificates of the CA that signed the certificate of the server, as PEM. */
  readonly ca: string;
  /** Certificate of the client, as PEM. */
  readonly cert: string;
  readonly key: Secret;
  /** Name in the certificate of the server; default: the host. */
  readonly serverName?: string;
  readonly keepaliveMs: number;
}

/**
 * Opens a TLS connection with certificates on both sides (RFC 7589). Throws `upstream_unreachable`. Only the signal limits the time of
 * the handshake.
 */
export async function connectTls(
  settings: TlsSettings,
  open: AdapterContext['connect'],
  signal: AbortSignal,
): Promise<Connected> {
  const { host, ca, cert, key, serverName = host } = settings;
  const connection = await open(settings, signal);
  if (!(connection instanceof Duplex)) throw new TypeError('the host opened something that is no socket');
  return new Promise((resolve, reject) => {
    const socket = connect({
      socket: connection,
      host,
      ca,
      cert,
      key: key.reveal(),
      minVersion: 'TLSv1.2',
      ...(/^[\d.]+$|:/.test(serverName) ? {} : { servername: serverName }),
    });
    const fail = (problem: Problem): void => {
      signal.removeEventListener('abort', onAbort);
      socket.destroy();
      connection.destroy();
      reject(problem);
    };
    const onAbort = (): void => {
      fail(
        signal.reason instanceof Problem ? signal.reason : unreachable(settings, 'it was not open in time'),
      );
    };
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    socket.on('error', (cause: Error) => {
      fail(unreachable(settings, transportFailureOf(cause)?.words ?? oneLine(cause.message, 200)));
    });
    socket.once('secureConnect', () => {
      signal.removeEventListener('abort', onAbort);
      socket.setNoDelay(true);
      socket.setKeepAlive(true, settings.keepaliveMs);
      resolve({
        stream: socket,
        close: () => {
          socket.end();
          socket.destroySoon();
          destroyLater(socket);
        },
      });
    });
  });
}

function unreachable({ host, port }: TlsSettings, reason: string): Problem {
  return new Problem('upstream_unreachable', `no TLS connection to ${host}:${port}: ${reason}`);
}
