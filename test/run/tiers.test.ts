import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../docs/markdown.js';
import { tierOf, TIERS } from './tiers.js';

describe('the tiers of tests', () => {
  const files = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.test.ts'));

  it('hold every test file', () => {
    assert.ok(files.length > 400);
    assert.deepEqual(
      files.filter((file) => tierOf(file) === undefined),
      [],
    );
  });

  it('name folders and files that exist', () => {
    const paths = TIERS.flatMap((tier) => tier.paths);
    assert.deepEqual(
      paths.filter((path) => !existsSync(join(ROOT, 'test', path))),
      [],
    );
    assert.equal(new Set(paths).size, paths.length);
  });

  it('give a file to the tier with the longest path that holds it', () => {
    assert.equal(tierOf('apps/schema/schema.test.ts'), 'integration');
    assert.equal(tierOf('apps/schema/other.test.ts'), 'unit');
    assert.equal(tierOf('applications/x.test.ts'), undefined);
  });

  it('open no browser outside of the tier that has one', () => {
    const outside = files.filter((file) => tierOf(file) !== 'browser' && file.startsWith('browser'));
    assert.deepEqual(outside, []);
  });
});
