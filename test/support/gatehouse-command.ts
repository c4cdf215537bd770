import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const bundled = fileURLToPath(new URL('../../bin/gatehouse.js', import.meta.url));
const compiled = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url));

/** Options of Node.js that every way to start the server gives (docs/guides/operating.md, memory). */
export const FLAGS: readonly string[] = ['--max-semi-space-size=4', '--single-threaded-gc', '--expose-gc'];

/** File of the command as it ships; as it was compiled, where nothing was bundled. */
export const COMMAND = existsSync(bundled) ? bundled : compiled;
