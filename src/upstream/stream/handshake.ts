import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Problem } from '../../core/problem.js';
import type { StreamRequest } from '../../core/stream.js';

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/**
 * Throws `upstream_bad_reply` for a change of protocol that is no answer to this WebSocket handshake (RFC 6455 section
 * 4.2.2): a tunnel to something else would be open for anything.
 */
export function checkHandshake(
  { headers }: Pick<IncomingMessage, 'headers'>,
  { isUpgrade, headers: asked }: Pick<StreamRequest, 'isUpgrade' | 'headers'>,
): void {
  const key = asked.find(([name]) => name.toLowerCase() === 'sec-websocket-key')?.[1] ?? '';
  const expected = createHash('sha1')
    .update(key.trim() + GUID)
    .digest('base64');
  const isAccepted = isUpgrade && headers['sec-websocket-accept'] === expected;
  if (isAccepted && headers.upgrade?.toLowerCase() === 'websocket') return;
  throw new Problem('upstream_bad_reply', 'the target changed the protocol, but not to this WebSocket');
}
