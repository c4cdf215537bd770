import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../../../test/corpora', import.meta.url));

/** Returns the saved inputs of a target, one per file. */
export function readCorpus(target: string): readonly Buffer[] {
  const folder = join(FOLDER, target);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .map((name) => readFileSync(join(folder, name)));
}

/** Keeps these inputs in the place of those before. */
export function writeCorpus(target: string, inputs: readonly Uint8Array[]): void {
  const folder = join(FOLDER, target);
  rmSync(folder, { recursive: true, force: true });
  for (const input of inputs) addToCorpus(target, input);
}

/** Saves another input. */
export function addToCorpus(target: string, input: Uint8Array): void {
  const folder = join(FOLDER, target);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, nameOf(input)), input);
}

function nameOf(input: Uint8Array): string {
  return createHash('sha256').update(input).digest('hex').slice(0, 12);
}
