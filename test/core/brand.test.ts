import assert from 'node:assert/strict';
import { Problem } from '../../src/core/problem.js';
import { Secret } from '../../src/core/secret.js';

/** Loads another copy of a module, as a plugin has it that was bundled with its packages. */
async function copyOf<T>(path: string): Promise<T> {
  return (await import(`${new URL(path, import.meta.url).href}?copy`)) as T;
}

describe('classes that plugins share with the server', () => {
  it('recognize a Problem of another copy (bug: "its start failed")', async () => {
    const copy = await copyOf<{ Problem: typeof Problem }>('../../src/core/problem.js');
    const problem = new copy.Problem('upstream_auth', 'the API answers 401');
    assert.notEqual(copy.Problem, Problem);
    assert.ok(problem instanceof Problem);
    assert.ok(new Problem('internal', 'a bug') instanceof copy.Problem);
  });

  it('recognize a Secret of another copy, in both directions', async () => {
    const copy = await copyOf<{ Secret: typeof Secret }>('../../src/core/secret.js');
    assert.ok(new copy.Secret('a') instanceof Secret);
    assert.ok(new Secret('a') instanceof copy.Secret);
  });

  it('do not recognize other values', async () => {
    const copy = await copyOf<{ Problem: typeof Problem }>('../../src/core/problem.js');
    const unknownCode = Object.assign(new copy.Problem('internal', 'a bug'), { code: 'of_another_release' });
    const values = [
      unknownCode,
      new Error('a'),
      { code: 'internal' },
      new Secret('a'),
      'internal',
      null,
      undefined,
    ];
    for (const value of values) assert.equal((value as unknown) instanceof Problem, false);
    for (const value of [new Problem('internal', 'a'), {}, 'a', null])
      assert.equal((value as unknown) instanceof Secret, false);
  });
});
