import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileYang } from '../../src/yang/compile.js';
import { directoryLibrary } from '../../src/yang/modules/library.js';
import { compare } from '../../evidence/yang/compare.js';
import { hasYanglint } from '../../evidence/yang/yanglint.js';

/** Folder of public modules, which are not part of this repository. */
const FOLDER = process.env['YANG_MODULES'] ?? '../shared/data/yang';

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

describe('public modules', () => {
  before(function () {
    if (existsSync(FOLDER)) return;
    process.stdout.write(`skipped: there are no public modules in ${FOLDER}\n`);
    this.skip();
  });

  const files = existsSync(FOLDER)
    ? readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
        .filter((file) => SAMPLE.some((name) => file.endsWith(`/${name}.yang`)))
        .map((file) => join(FOLDER, file))
    : [];

  it('compile', () => {
    const library = directoryLibrary([FOLDER]);
    for (const file of files) {
      const compiled = compileYang([{ file, text: readFileSync(file, 'utf8') }], { library, content: 'all' });
      assert.ok(
        'modules' in compiled && compiled.modules.length === 1,
        `${file}: ${JSON.stringify(compiled).slice(0, 500)}`,
      );
    }
  });

  it('accept and refuse the same documents as libyang', async function () {
    if (!hasYanglint()) {
      process.stdout.write('skipped: yanglint (libyang2-tools) is not installed\n');
      this.skip();
    }
    const file = files.find((name) => name.includes('ietf-routing@')) ?? '';
    const source = { file, text: readFileSync(file, 'utf8') };
    const options = { library: directoryLibrary([FOLDER]) };
    const checked = await compare({ source, options, content: 'config', documents: 60, seed: 7 });
    assert.ok(!('skipped' in checked), JSON.stringify(checked));
    const wrong = checked.filter(({ ours, theirs }) => (ours === undefined) !== (theirs === undefined));
    assert.deepEqual(wrong, []);
    assert.ok(checked.length > 30);
  });
});
