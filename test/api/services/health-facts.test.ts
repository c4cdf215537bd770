import assert from 'node:assert/strict';
import { runtimeFacts, serverIdOf } from '../../../src/api/services/health-facts.js';

const id = (url: string): string => serverIdOf('host', url);
const BARE = id('postgres://db.example/gatehouse');

describe('what the runtime tells of itself', () => {
  it('names the parts that clients insist on, whichever release runs (bug: Node.js 24 has one less)', () => {
    const { versions } = runtimeFacts();
    for (const part of ['node', 'ada', 'ares', 'cjs_module_lexer', 'simdutf', 'v8'])
      assert.equal(typeof (versions as Readonly<Record<string, string>>)[part], 'string', part);
    assert.equal(versions.node, process.versions.node);
  });
});

describe('the id of a server, which everyone may see', () => {
  for (const url of [
    'postgres://user:pass@db.example/gatehouse',
    'postgres://user:p@ss@db.example/gatehouse',
    'postgres://db.example/gatehouse?user=u&password=pass',
    'postgres://user:pass@db.example/gatehouse?sslpassword=x/y',
  ])
    it(`does not follow from a password in ${url} (bug: that of a query could be guessed by it)`, () => {
      assert.equal(id(url), BARE);
    });

  it('follows from host and database', () => {
    assert.notEqual(id('postgres://db.example/other'), BARE);
    assert.notEqual(serverIdOf('other', 'postgres://db.example/gatehouse'), BARE);
  });
});
