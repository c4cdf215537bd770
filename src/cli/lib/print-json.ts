import { jsonListPieces, jsonPieces } from '../../json/json-pieces.js';
import type { CommandIo } from './command.js';

/** Length of the texts that are written at once, in characters. */
const BLOCK_LENGTH = 64 * 1024;

/**
 * Prints a JSON value, indented and in blocks. Waits until each block is written, so that the whole text of a large value
 * is never in memory.
 */
export async function printJson(value: unknown, io: CommandIo): Promise<void> {
  await printPieces(jsonPieces(value), io);
}

/** Prints values as a JSON array like {@link printJson}. Reads each value after the one before it is written. */
export async function printJsonList(values: Iterable<unknown>, io: CommandIo): Promise<void> {
  await printPieces(jsonListPieces(values), io);
}

async function printPieces(pieces: Iterable<string>, io: CommandIo): Promise<void> {
  let block = '';
  // Short pieces are joined, because each write is a call of the operating system.
  for (const piece of pieces) {
    block += piece;
    if (block.length < BLOCK_LENGTH) continue;
    io.out(block);
    await io.flush();
    block = '';
  }
  io.out(`${block}\n`);
}
