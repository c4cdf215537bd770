const LINE_FEED = 0x0a;

/** Yields the lines of UTF-8 without their line breaks, and without a copy. */
export function* linesIn(bytes: Buffer): Generator<Buffer> {
  let start = 0;
  for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, start)) {
    yield bytes.subarray(start, end);
    start = end + 1;
  }
  if (start < bytes.length) yield bytes.subarray(start);
}
