import type { HttpResponse } from '../../http/response.js';

export interface ToolResult {
  readonly content: { readonly type: 'text'; readonly text: string }[];
  readonly isError: boolean;
}

interface ResultLimits {
  /** Maximum size of the text, in bytes. */
  readonly maxBytes: number;
  /** How to ask for less, as one sentence. */
  readonly narrow: string;
}

/**
 * Returns the response of an operation as the result of a tool. A larger text is cut at `maxBytes`; a second text then says
 * so, and how to ask for less. Rejects if a chunk of the response fails.
 */
export async function toToolResult(
  response: HttpResponse,
  { maxBytes, narrow }: ResultLimits,
): Promise<ToolResult> {
  const { bytes, total } = await readStart(response, maxBytes);
  const texts = [wellFormedStart(bytes, maxBytes)];
  if (bytes.length > maxBytes) {
    const size = total === undefined ? `more than ${maxBytes}` : String(total);
    texts.push(
      `The text above is not complete: the result has ${size} bytes, and only the first ${maxBytes} are shown. ${narrow}`,
    );
  }
  return {
    content: texts.map((text) => ({ type: 'text', text })),
    isError: response.problem !== undefined,
  };
}

/** Reads at most a little more than `maxBytes`; `total` is the complete size, if it is known. */
async function readStart(
  { body, chunks }: HttpResponse,
  maxBytes: number,
): Promise<{ readonly bytes: Buffer; readonly total?: number }> {
  if (!chunks) return { bytes: body, total: body.length };
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks.source) {
    const part = Buffer.from(chunk);
    parts.push(part);
    size += part.length;
    // The end of the loop also ends the source.
    if (size > maxBytes) return { bytes: Buffer.concat(parts) };
  }
  return { bytes: Buffer.concat(parts), total: size };
}

/** Returns the text of the first bytes, without a character that the limit would divide. */
function wellFormedStart(bytes: Buffer, maxBytes: number): string {
  let end = Math.min(bytes.length, maxBytes);
  // Bytes 10xxxxxx continue a character of UTF-8 (RFC 3629 section 3).
  while (end < bytes.length && end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end);
}
