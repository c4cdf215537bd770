import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { cloneCheckout } from './clone.js';
import { followGuides } from './follow-guides.js';
import { openFirstInstallation, type OpenSetting } from './installations.js';
import { REAL } from './shell.js';

followGuides({ 'README.md': openClone });

/**
 * `npm run demo` ends after its tour. `npm test` prints its help, because a test cannot run the suite that it belongs to; `.ci/run`
 * runs it in a clone. `npm start` does not build the pages first.
 */
const NPM = `case "$*" in
  'run demo') ${REAL} npm run demo --silent -- --once ;;
  test) ${REAL} npm test --silent -- --help ;;
  start) free-port; exec $(jq -r '.scripts.start | split("&&") | last' package.json) ;;
esac
exit 64`;

/**
 * The command of the clone, which `npm run demo` has built. npx starts the first command. It takes a second, and does not pass on
 * the signal that ends a server, so the others are started as npx does.
 */
const NPX = `case "$2" in
  init) ${REAL} npx --no-install --offline "$@" ;;
  serve) free-port "$@" ;;
esac
exec "node_modules/.bin/$@"`;

/** Clones the checkout beside the systems around gatehouse. README.md writes its configuration itself. */
async function openClone(): Promise<OpenSetting> {
  const { folder: services, ...setting } = await openFirstInstallation();
  const folder = join(services, 'gatehouse');
  cloneCheckout(folder);
  rmSync(join(folder, 'config/gatehouse.yaml'));
  return { ...setting, folder, programs: { npm: NPM, npx: NPX, node: `exec "${process.execPath}" "$@"` } };
}
