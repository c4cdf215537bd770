import assert from 'node:assert/strict';
import { runtimeFacts, serverIdOf } from '../../../src/features/health/facts.js';

const id = (url: string): string => serverIdOf('host', url);
const BARE = id('postgres://db.example/gatehouse');

describe('runtimeFacts', () => {
  it('names the components that clients require on every Node.js release (bug: Node.js 24 has one less)', () => {
    const { versions } = runtimeFacts();
    for (const part of ['node', 'ada', 'ares', 'cjs_module_lexer', 'simdutf', 'v8'])
      assert.equal(typeof (versions as Readonly<Record<string, string>>)[part], 'string', part);
    assert.equal(versions.node, process.versions.node);
  });
});

describe('serverIdOf', () => {
  for (const url of [
    'postgres://user:pass@db.example/gatehouse',
    'postgres://user:p@ss@db.example/gatehouse',
    'postgres://db.example/gatehouse?user=u&password=pass',
    'postgres://user:pass@db.example/gatehouse?sslpassword=x/y',
  ])
    it(`does not depend on a password in ${url} (bug: a password in the query could be guessed from the id)`, () => {
      assert.equal(id(url), BARE);
    });

  it('depends on host and database', () => {
    assert.notEqual(id('postgres://db.example/other'), BARE);
    assert.notEqual(serverIdOf('other', 'postgres://db.example/gatehouse'), BARE);
  });
});
