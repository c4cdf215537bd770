import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { directoryLibrary } from '../../src/yang/modules/library.js';
import { PUBLIC_MODULES, PUBLIC_MODULES_FOLDER, YANGLINT } from '../../test/support/need-list.js';
import { describeWith, itWith } from '../../test/support/needs.js';
import { compare } from './compare.js';

describeWith(PUBLIC_MODULES, 'public modules', () => {
  itWith(YANGLINT, 'accept and refuse the same documents as libyang', async () => {
    const names = readdirSync(PUBLIC_MODULES_FOLDER, { recursive: true, encoding: 'utf8' });
    const name = names.find((one) => one.endsWith('/ietf-routing@2018-03-13.yang')) ?? '';
    const file = join(PUBLIC_MODULES_FOLDER, name);
    const source = { file, text: readFileSync(file, 'utf8') };
    const options = { library: directoryLibrary([PUBLIC_MODULES_FOLDER]) };
    const checked = await compare({ source, options, content: 'config', documents: 60, seed: 7 });
    assert.ok(!('skipped' in checked), JSON.stringify(checked));
    const wrong = checked.filter(({ ours, theirs }) => (ours === undefined) !== (theirs === undefined));
    assert.deepEqual(wrong, []);
    assert.ok(checked.length > 30);
  });
});
