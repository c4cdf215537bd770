import assert from 'node:assert/strict';
import { runtimeFacts } from '../../../src/api/services/machine-info.js';

describe('what the runtime tells of itself', () => {
  it('names the parts that clients insist on, whichever release runs (bug: Node.js 24 has one less)', () => {
    const { versions } = runtimeFacts();
    for (const part of ['node', 'ada', 'ares', 'cjs_module_lexer', 'simdutf', 'v8'])
      assert.equal(typeof (versions as Readonly<Record<string, string>>)[part], 'string', part);
    assert.equal(versions.node, process.versions.node);
  });
});
