import assert from 'node:assert/strict';
import { serverIdOf } from '../../../src/api/services/server-id.js';

const id = (url: string): string => serverIdOf('host', url);
const BARE = id('postgres://db.example/gatehouse');

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
