import assert from 'node:assert/strict';
import { compileYang } from '../../src/yang/compile.js';
import { ValidationTooCostly } from '../../src/yang/document/step-budget.js';
import type { Limits } from '../../src/yang/limits.js';
import { openArchive } from '../../src/yang/model-archive.js';
import { column } from '../support/columns.js';
import { asModule } from '../support/yang.js';

const TEXT = asModule('container c { leaf a { type string; } leaf b { type int8; } }');

function archiveOf(text: string): string {
  const compiled = compileYang([{ file: 'm.yang', text }], { withModel: true });
  assert.ok('modules' in compiled && compiled.model);
  return compiled.model.archive;
}

describe('openArchive', () => {
  const archive = archiveOf(TEXT);

  it('compiles the model of an archive', () => {
    const { given } = openArchive(archive, {});
    assert.deepEqual(column(given, 'name'), ['m']);
  });

  for (const [limit, value, expected] of [
    ['nodes', 2, /the schema tree has more than 2 nodes/],
    ['statements', 5, /more than 5 statements/],
    ['bytes', 20, /more than 20 characters of YANG/],
    ['depth', 1, /nested deeper than 1 levels/],
  ] as const satisfies readonly (readonly [keyof Limits, number, RegExp])[])
    it(`throws ValidationTooCostly if the model exceeds the limit of ${limit}`, () => {
      assert.throws(
        () => openArchive(archive, { [limit]: value }),
        (error: unknown) => error instanceof ValidationTooCostly && expected.test(error.message),
      );
    });

  it('throws another error for a damaged archive', () => {
    const isOther = (error: unknown) => error instanceof Error && !(error instanceof ValidationTooCostly);
    for (const damaged of ['', 'AAAA', archive.slice(0, archive.length / 2)])
      assert.throws(() => openArchive(damaged, {}), isOther);
  });
});
