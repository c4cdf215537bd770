import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const bundled = fileURLToPath(new URL('../../bin/gatehouse.js', import.meta.url));
const compiled = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url));

/** Options of Node.js that every documented start command uses (docs/reference/process.md). */
export const FLAGS: readonly string[] = ['--max-semi-space-size=4', '--single-threaded-gc'];

/** File of the shipped command; the compiled file if there is no bundle. */
export const COMMAND = existsSync(bundled) ? bundled : compiled;
