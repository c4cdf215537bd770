import { isUtf8 } from 'node:buffer';
import type { InvalidByte, SourceText } from './statement.js';

/** Decodes the bytes of a file. Bytes that are not UTF-8 become U+FFFD, and the compiler reports the first one. */
export function decodeSource(file: string, bytes: Buffer): SourceText {
  const text = bytes.toString('utf8');
  return isUtf8(bytes) ? { file, text } : { file, text, invalidByte: invalidByteIn(bytes, text) };
}

function invalidByteIn(bytes: Buffer, text: string): InvalidByte {
  const encoded = Buffer.from(text);
  let at = 0;
  while (at < bytes.length - 1 && bytes[at] === encoded[at]) at += 1;
  const hex = (bytes[at] ?? 0).toString(16).toUpperCase().padStart(2, '0');
  const before = bytes.subarray(0, at).toString('utf8');
  return { ...positionAt(before, before.length), hex };
}

/** Returns the 1-based line and column of an offset in a text. */
export function positionAt(text: string, offset: number): { readonly line: number; readonly column: number } {
  const lines = text.slice(0, offset).split('\n');
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}
