import { rawPeer, statusesIn } from '../../test/support/raw-http.js';

/** Results of messages that hide a second request. */
interface Smuggled {
  readonly vectors: number;
  /** One reply, 400 or above. */
  readonly refused: number;
  /** Messages with a reply below 400. */
  readonly answered: readonly string[];
  /** Messages without a reply. */
  readonly silent: readonly string[];
  /** Not closed after the reply. */
  readonly open: number;
}

const AT_ONCE = 16;

/**
 * Sends each message over a new connection and waits until the server closes the connection. With `leaving`,
 * requests the end of the connection after the message, for servers that would keep it open.
 */
export async function smuggle(
  port: number,
  messages: readonly string[],
  { leaving = false } = {},
): Promise<Smuggled> {
  const found = { refused: 0, answered: [] as string[], silent: [] as string[], open: 0 };
  let next = 0;
  const send = async (): Promise<void> => {
    for (let message = messages[next++]; message !== undefined; message = messages[next++]) {
      const received = await exchange(port, message, leaving);
      const [status, ...more] = statusesIn(received ?? '');
      if (received === undefined) found.open += 1;
      else if (status === undefined) found.silent.push(message);
      else if (status >= 400 && more.length === 0) found.refused += 1;
      else found.answered.push(message);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, send));
  return { vectors: messages.length, ...found };
}

/** Returns everything received; `undefined` if the server did not close the connection. */
async function exchange(port: number, message: string, leaving: boolean): Promise<string | undefined> {
  const peer = await rawPeer(port);
  peer.send(message);
  if (leaving) peer.end();
  try {
    return await peer.closed().catch(() => undefined);
  } finally {
    peer.destroy();
  }
}
