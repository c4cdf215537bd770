import type { Socket } from 'node:net';

const PIECE_BYTES = 4_096;

/**
 * Has a connection hand out what it received in pieces of at most 4 KiB, and nothing once it is destroyed.
 *
 * The parser of undici reads what it is given to its end, though the head is too large by then, and makes an error for every line: with
 * 64 KiB of them it stops the process for a third of a second.
 */
export function inPieces(socket: Socket): Socket {
  const read = socket.read.bind(socket);
  socket.read = (size?: number): unknown => {
    if (socket.destroyed) return null;
    return read(size ?? (socket.readableLength > PIECE_BYTES ? PIECE_BYTES : undefined));
  };
  return socket;
}
