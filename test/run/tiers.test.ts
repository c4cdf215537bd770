import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../docs/markdown.js';
import { column } from '../support/columns.js';
import { groupsOf, type Part } from './files.js';
import { tierOf, TIERS } from './tiers.js';

describe('the test tiers', () => {
  const files = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.test.ts'));

  it('contain every test file', () => {
    assert.ok(files.length > 400);
    assert.deepEqual(
      files.filter((file) => tierOf(file) === undefined),
      [],
    );
  });

  it('name existing folders and files', () => {
    const paths = TIERS.flatMap((tier) => tier.paths);
    assert.deepEqual(
      paths.filter((path) => ![join(ROOT, 'test', path), join(ROOT, path)].some((one) => existsSync(one))),
      [],
    );
    assert.equal(new Set(paths).size, paths.length);
  });

  it('assign a file to the tier with its longest matching path', () => {
    assert.equal(tierOf('features/schema/operations.test.ts'), 'integration');
    assert.equal(tierOf('features/schema/other.test.ts'), 'unit');
    assert.equal(tierOf('applications/x.test.ts'), undefined);
  });

  it('of npm test need no program', () => {
    const ordinary = TIERS.filter(({ onlyInAll = false }) => !onlyInAll);
    assert.deepEqual(
      ordinary.filter(({ requires }) => requires !== undefined),
      [],
    );
  });

  it('build the pages only for tests that open them', () => {
    const building = TIERS.filter(({ builds = [] }) =>
      builds.some((part) => ['pages', 'site'].includes(part)),
    );
    assert.deepEqual(column(building, 'name'), ['browser', 'docs']);
  });

  it('use a browser only in the browser tier, and for form libraries', () => {
    const opens = /from '[^']*support\/(?:browser|page-text|console-errors)\.js'/;
    const watching = files.filter((file) => opens.test(readFileSync(join(ROOT, 'test', file), 'utf8')));
    assert.ok(watching.length > 10);
    assert.deepEqual(
      watching.filter((file) => tierOf(file) !== 'browser'),
      ['clients/form-libraries.test.ts'],
    );
  });

  it('run side by side in two groups: those of npm test, then the others', () => {
    const part = (name: string, onlyInAll: boolean): Part => ({
      name,
      onlyInAll,
      files: [],
      builds: [],
      services: [],
    });
    const groups = groupsOf([part('unit', false), part('browser', true), part('e2e', false)]);
    assert.deepEqual(
      groups.map((group) => group.map(({ name }) => name)),
      [['unit', 'e2e'], ['browser']],
    );
  });
});
