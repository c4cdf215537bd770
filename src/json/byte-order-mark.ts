/**
 * Returns JSON in UTF-8 without a byte order mark at its start, which a parser may ignore (RFC 8259 section 8.1). Some servers and
 * clients write one, although it must not be sent.
 */
export function withoutByteOrderMark<Bytes extends Uint8Array>(bytes: Bytes): Bytes {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  // The part of a Buffer is a Buffer.
  return hasMark ? (bytes.subarray(3) as Bytes) : bytes;
}
