import { closeSync, openSync, readSync, statSync } from 'node:fs';
import type { Fault } from '../core/fault.js';
import type { SourceText } from './document.js';

/** Maximum size of a configuration file, in bytes. */
export const FILE_LIMIT = 1_048_576;

/** Maximum number of bytes per read. Nearly every file is smaller. */
const CHUNK_BYTES = 16_384;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads a file of UTF-8 text without its byte order mark. Returns a fault if the file cannot be read. Never
 * throws. Waits for the system, because handing small files to a thread takes several times as long as reading them.
 */
export function readText(file: string): SourceText | Fault {
  try {
    const bytes = readBytes(file);
    if ('fix' in bytes) return bytes;
    return { file, text: utf8.decode(bytes) };
  } catch (error) {
    return fileFault(file, error);
  }
}

function readBytes(file: string): Uint8Array | Fault {
  const stats = statSync(file);
  // Opening a pipe would wait for its writer.
  if (stats.isDirectory()) return faultOf(file, 'is a directory', 'Name a file.');
  if (!stats.isFile()) return faultOf(file, 'is not a regular file', 'Name a regular file.');
  const descriptor = openSync(file, 'r');
  try {
    const chunks: Buffer[] = [];
    let length = 0;
    // One byte more than the file has, in case it grows meanwhile.
    const size = Math.min(stats.size + 1, CHUNK_BYTES);
    for (;;) {
      const chunk = Buffer.allocUnsafe(size);
      const bytesRead = readSync(descriptor, chunk, 0, size, null);
      if (bytesRead === 0) return Buffer.concat(chunks, length);
      length += bytesRead;
      if (length > FILE_LIMIT)
        return faultOf(file, `is larger than ${FILE_LIMIT} bytes`, 'Write a smaller file.');
      chunks.push(chunk.subarray(0, bytesRead));
    }
  } finally {
    closeSync(descriptor);
  }
}

/** Returns the fault for a file system or decoding error. */
export function fileFault(file: string, error: unknown): Fault {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
  const [message, fix] = FILE_ERROR_MESSAGES[code] ?? [
    `cannot be read (${code})`,
    'Check the path and the file system.',
  ];
  return faultOf(file, message, fix);
}

const FILE_ERROR_MESSAGES: Readonly<Record<string, readonly [message: string, fix: string]>> = {
  ENOENT: [
    'does not exist',
    'Run "gatehouse init" to write a first configuration, or name another file with --config or GATEHOUSE_CONFIG.',
  ],
  ENOTDIR: ['is expected in a folder that is a file', 'Check the path.'],
  EACCES: ['cannot be read: permission denied', 'Give the user of the process the right to read it.'],
  EPERM: ['cannot be read: permission denied', 'Give the user of the process the right to read it.'],
  ELOOP: ['is part of a loop of symbolic links', 'Correct the symbolic link.'],
  ERR_ENCODING_INVALID_ENCODED_DATA: ['is not valid UTF-8', 'Save the file as UTF-8.'],
};

function faultOf(file: string, message: string, fix: string): Fault {
  return { file, line: 0, column: 0, pointer: '', code: 'file', message, fix };
}
