import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { cloneCheckout } from './clone.js';
import { followGuides } from './follow-guides.js';
import { openFirstInstallation, type OpenSetting } from './installations.js';
import { REAL } from './shell.js';

followGuides({ 'README.md': openClone });

/**
 * `npm run demo` ends after its tour. `npm test` prints its help, because a test cannot run the suite that it belongs to; `.ci/run`
 * runs it in a clone.
 */
const NPM = `case "$*" in
  'run demo') ${REAL} npm run demo --silent -- --once ;;
  test) ${REAL} npm test --silent -- --help ;;
esac
exit 64`;

/** The command of the clone, which `npm run demo` has built. */
const GATEHOUSE = `[ "$1" != serve ] || free-port "$@"
exec node_modules/.bin/gatehouse "$@"`;

/** Clones the checkout beside the systems around gatehouse. README.md writes its configuration itself. */
async function openClone(): Promise<OpenSetting> {
  const { folder: services, ...setting } = await openFirstInstallation();
  const folder = join(services, 'gatehouse');
  cloneCheckout(folder);
  rmSync(join(folder, 'config/gatehouse.yaml'));
  return {
    ...setting,
    folder,
    programs: { npm: NPM, gatehouse: GATEHOUSE, node: `exec "${process.execPath}" "$@"` },
  };
}
