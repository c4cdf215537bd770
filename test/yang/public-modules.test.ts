import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileYang } from '../../src/yang/compile.js';
import { directoryLibrary } from '../../src/yang/modules/library.js';
import { PUBLIC_MODULES, PUBLIC_MODULES_FOLDER } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';

/** A few modules of each kind; `npm run evidence yang` uses all modules. */
const SAMPLE = [
  'ietf-interfaces@2018-02-20',
  'ietf-routing@2018-03-13',
  'ietf-netconf-acm@2018-02-14',
  'ietf-l3vpn-svc@2018-01-19',
  'openconfig-interfaces',
  'openconfig-platform',
  'openconfig-bgp',
  'ieee802-dot1q-bridge',
];

describeWith(PUBLIC_MODULES, 'public modules', () => {
  const files = existsSync(PUBLIC_MODULES_FOLDER)
    ? readdirSync(PUBLIC_MODULES_FOLDER, { recursive: true, encoding: 'utf8' })
        .filter((file) => SAMPLE.some((name) => file.endsWith(`/${name}.yang`)))
        .map((file) => join(PUBLIC_MODULES_FOLDER, file))
    : [];

  it('compile', () => {
    const library = directoryLibrary([PUBLIC_MODULES_FOLDER]);
    for (const file of files) {
      const compiled = compileYang([{ file, text: readFileSync(file, 'utf8') }], { library, content: 'all' });
      assert.ok(
        'modules' in compiled && compiled.modules.length === 1,
        `${file}: ${JSON.stringify(compiled).slice(0, 500)}`,
      );
    }
  });
});
