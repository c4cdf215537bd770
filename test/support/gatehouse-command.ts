import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const bundled = fileURLToPath(new URL('../../bin/gatehouse.js', import.meta.url));
const compiled = fileURLToPath(new URL('../../src/main.js', import.meta.url));

/** File of the command as it ships; as it was compiled, where nothing was bundled. */
export const COMMAND = existsSync(bundled) ? bundled : compiled;
