import type { Socket } from 'node:net';

const PIECE_BYTES = 4_096;

/**
 * Limits reads from a socket to chunks of at most 4 KiB, and returns nothing after the socket is destroyed.
 * The parser of undici reads a chunk to its end although the head is already too large, and creates an error
 * for every line: with 64 KiB of lines it blocks the process for a third of a second.
 */
export function inPieces(socket: Socket): Socket {
  const read = socket.read.bind(socket);
  socket.read = (size?: number): unknown => {
    if (socket.destroyed) return null;
    return read(size ?? (socket.readableLength > PIECE_BYTES ? PIECE_BYTES : undefined));
  };
  return socket;
}
