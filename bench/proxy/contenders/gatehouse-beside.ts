import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Contender } from '../contender.js';
import { startGatehouse } from '../gatehouse-server.js';
import { gatehouse } from './gatehouse.js';

/** How a checkout starts its build: the file that the tests of that checkout start. */
const COMMAND_FILE = 'dist/test/support/gatehouse-command.js';

/** Returns the build of another checkout as a contender. Throws an Error if the checkout is not built. */
export async function gatehouseBeside(checkout: string): Promise<Contender> {
  const file = join(resolve(checkout), COMMAND_FILE);
  if (!existsSync(file)) throw new Error(`--beside takes a checkout that is built; ${file} is missing`);
  const { COMMAND, FLAGS } = (await import(pathToFileURL(file).href)) as {
    readonly COMMAND: string;
    readonly FLAGS: readonly string[];
  };
  return {
    ...gatehouse,
    name: 'gatehouse-beside',
    says: `the same, of ${COMMAND}`,
    start: (place) => startGatehouse(place, {}, { command: COMMAND, flags: FLAGS }),
  };
}
