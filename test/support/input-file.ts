import { createHash } from 'node:crypto';
import { readFileSync, realpathSync, writeFileSync, type WriteFileOptions } from 'node:fs';
import { IS_LEAK_SCAN, keepRecord } from './leak-scan.js';

/** A registered input of the leak scan. */
export interface RegisteredInput {
  readonly path: string;
  readonly hash: string;
}

/**
 * Writes a file that contains a secret on purpose, as input of gatehouse or of a double, and registers it: the leak
 * scan does not search it.
 */
export function writeInput(path: string, content: string | Uint8Array, options?: WriteFileOptions): void {
  writeFileSync(path, content, options);
  registerInput(path);
}

/**
 * Registers files that contain a secret on purpose, as input of gatehouse or of a double. The leak scan does not
 * search them as long as their content stays the same: a file that gatehouse changes is output.
 */
export function registerInput(...paths: readonly string[]): void {
  if (!IS_LEAK_SCAN) return;
  for (const path of paths) {
    const input: RegisteredInput = { path: realpathSync(path), hash: hashOfInput(readFileSync(path)) };
    keepRecord('inputs', input);
  }
}

/** Returns the hash by which the leak scan recognizes an input. */
export function hashOfInput(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
