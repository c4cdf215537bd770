import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { YANGLINT } from '../../test/support/need-list.js';
import { itWith } from '../../test/support/needs.js';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { asModule, yang11 } from '../../test/support/yang.js';
import { compileAll } from './compile-all.js';
import { DIFFERENCES, readExplanations, reasonFor, tableOf } from './differences.js';

describe('the differences between our compiler and other compilers', () => {
  const folder = temporaryFolder().path;
  const file = join(folder, 'lines.tsv');
  const LINE = 'libyang\tgatehouse\t"01" is not a boundary\t^a\tthe grammar forbids zeros\n';

  itWith(YANGLINT, 'are found for each module, and explained by a line of the file', () => {
    const modules = join(folder, 'modules');
    mkdirSync(modules);
    const range = (name: string) => yang11(name, 'leaf l { type int8 { range "01..5"; } }');
    for (const [name, text] of [
      ['a.yang', range('a')],
      ['b.yang', range('b')],
      ['m.yang', asModule('leaf l { type int8; }')],
    ] as const)
      writeFileSync(join(modules, name), text);
    const files = ['a', 'b', 'm'].map((name) => join(modules, `${name}.yang`));
    const { differences, modules: count, compiled } = compileAll(files, [modules]);
    assert.deepEqual([count, compiled], [3, 1]);
    const ofLibyang = differences.filter(({ judge }) => judge === 'libyang');
    assert.equal(ofLibyang.length, 2);
    writeFileSync(file, `# judge, refused by, complaint, file, reason\n${LINE}`);
    const lines = readExplanations(file);
    const reasons = ofLibyang.map((one) => reasonFor(one, lines));
    assert.deepEqual(reasons, ['the grammar forbids zeros', undefined]);
    assert.match(
      tableOf(ofLibyang, lines),
      /^libyang\tgatehouse\ta\.yang\t.*"01".*\tthe grammar forbids zeros$/m,
    );
  });

  it('are not explained by a line about another judge or the other verdict', () => {
    writeFileSync(file, LINE);
    const lines = readExplanations(file);
    const ours = 'x: "01" is not a boundary';
    const one = { judge: 'libyang', file: '/x/a.yang', ours, theirs: undefined } as const;
    assert.ok(reasonFor(one, lines));
    assert.equal(reasonFor({ ...one, judge: 'pyang' }, lines), undefined);
    assert.equal(reasonFor({ ...one, ours: undefined, theirs: ours }, lines), undefined);
  });

  it('are explained by lines that have all five columns', () => {
    writeFileSync(file, 'libyang\tgatehouse\tx\n');
    assert.throws(() => readExplanations(file), /fewer than five columns/);
    assert.ok(readExplanations(DIFFERENCES).length > 0);
  });
});
