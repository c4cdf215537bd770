import assert from 'node:assert/strict';
import { serversOf, throwPostgresError } from '../../src/storage/postgres.js';

describe('the hosts in storage.url', () => {
  it('become one URL each, with the same credentials, path and parameters', () => {
    const { urls, mustWrite } = serversOf('postgres://ada:a%2Cb@one:5433,two,[::1]:5434/net?sslmode=require');
    assert.deepEqual(urls, [
      'postgres://ada:a%2Cb@one:5433/net?sslmode=require',
      'postgres://ada:a%2Cb@two/net?sslmode=require',
      'postgres://ada:a%2Cb@[::1]:5434/net?sslmode=require',
    ]);
    assert.equal(mustWrite, true);
  });

  it('keep a single host unchanged, which may be read-only unless the URL requires otherwise', () => {
    for (const [url, mustWrite] of [
      ['postgres://one/net', false],
      ['postgresql://ada:p@ss,word@one:5432/net?application_name=a,b', false],
      ['postgres://one/net?target_session_attrs=read-write', true],
      ['postgres://one/net?sslmode=disable&target_session_attrs=primary', true],
    ] as const)
      assert.deepEqual(serversOf(url), { urls: [url], mustWrite }, url);
  });

  it('exclude standbys, and the error message contains no password', () => {
    assert.throws(
      () => serversOf('postgres://ada:pw-5c1f@one,two/net?target_session_attrs=standby'),
      (error: Error) => error.message.includes('must be "read-write"') && !error.message.includes('pw-5c1f'),
    );
  });
});

describe('a PostgreSQL database that cannot be opened', () => {
  it('names what failed: its server, or the login', () => {
    for (const [code, words] of [
      ['ECONNREFUSED', ': its server refuses connections on this port (ECONNREFUSED)'],
      ['ENOTFOUND', ': the host name of its server is not known (ENOTFOUND)'],
      ['28P01', ': its server refused the login (28P01)'],
      ['53300', ' (53300)'],
    ] as const)
      assert.throws(
        () => throwPostgresError(Object.assign(new Error('any'), { code })),
        ({ message }: Error) => message.startsWith(`The PostgreSQL database cannot be opened${words}. Check`),
        code,
      );
  });
});
