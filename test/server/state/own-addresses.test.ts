import assert from 'node:assert/strict';
import { ownAddressesOf } from '../../../src/server/state/own-addresses.js';
import type { Settings } from '../../../src/settings/settings.js';

const NOTHING = {
  server: { publicUrl: null },
  vault: null,
  storage: { url: 'sqlite:/data/gatehouse.db' },
  auth: { issuers: [] },
  tracing: { otlpEndpoint: null },
  log: { syslog: null },
};

const placesOf = (settings: object): readonly string[] =>
  ownAddressesOf({ ...NOTHING, ...settings } as unknown as Settings).map(
    ({ name, host, port, isShared }) => `${name} ${host} ${port}${isShared ? ' shared' : ''}`,
  );

describe('the services in the settings', () => {
  it('are none with the defaults', () => {
    assert.deepEqual(placesOf({}), []);
  });

  it('finding F15: are Vault with its proxy, the public address, and the receivers of traces and log lines', () => {
    const proxy = 'http://proxy.example:3128';
    const address = ['https://Vault.example:8200', 'https://[fd00::1]', 'http://vault.example'];
    assert.deepEqual(
      placesOf({
        server: { publicUrl: 'https://gatehouse.example' },
        vault: { address, proxy },
        tracing: { otlpEndpoint: 'http://127.0.0.1:4318' },
        log: { syslog: { url: 'udp://logs.example' } },
      }),
      [
        'this server gatehouse.example 443',
        'Vault vault.example 8200',
        'Vault fd00::1 443',
        'Vault vault.example 80',
        'Vault proxy.example 3128',
        'the receiver of traces 127.0.0.1 4318',
        'the syslog receiver logs.example 514',
      ],
    );
    assert.deepEqual(placesOf({ log: { syslog: { url: 'tls://logs.example' } } }), [
      'the syslog receiver logs.example 6514',
    ]);
    assert.deepEqual(placesOf({ log: { syslog: { url: 'unix:/dev/log' } } }), []);
  });

  it('finding F15: are the issuers whose keys are fetched', () => {
    const issuers = [
      { issuer: 'https://idp.example/realm', discovery: true },
      { issuer: 'https://other.example', jwksUri: 'https://keys.example:8443/jwks' },
      { issuer: 'https://file.example', publicKeyFile: {} },
    ];
    assert.deepEqual(placesOf({ auth: { issuers } }), [
      'a token issuer of this server idp.example 443 shared',
      'a token issuer of this server keys.example 8443 shared',
    ]);
  });

  it('finding F15: are the database, whose place its parameters may name', () => {
    for (const [url, place] of [
      ['postgres://user:pw@db.example/name', 'db.example 5432'],
      ['postgresql://db.example:6432/name', 'db.example 6432'],
      ['postgres:///name', 'localhost 5432'],
      ['postgres:///name?host=DB2.example&port=7000', 'db2.example 7000'],
    ] as const)
      assert.deepEqual(placesOf({ storage: { url } }), [`the database ${place}`], url);
  });

  it('finding F15: are all databases of a URL with several hosts', () => {
    const url = 'postgres://user:pw@one:5432,[fd00::2]:6432,three/name?target_session_attrs=primary';
    assert.deepEqual(placesOf({ storage: { url } }), [
      'the database one 5432',
      'the database fd00::2 6432',
      'the database three 5432',
    ]);
  });
});
