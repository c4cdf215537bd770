import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the checkout. This file runs from `dist/test/run`. */
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

export const DIST = join(ROOT, 'dist');

/** Returns the path of the source of a compiled file, relative to the root of the checkout. */
export function sourceOf(file: string): string {
  return relative(DIST, file).replaceAll('\\', '/').replace(/\.js$/, '.ts');
}
