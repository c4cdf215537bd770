import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fileFormOf, isCatalogued, placeInRecord } from '../../src/config/adapter-record.js';
import type { AdapterDocument } from '../../src/core/adapter-document.js';
import { valueAt } from '../../src/core/pointer.js';

const FOLDER = '/etc/gatehouse/node_modules/@acme/adapter-inventory';

function documentWith(properties: Readonly<Record<string, unknown>>, model = '@acme/adapter-inventory') {
  return {
    name: 'inventory',
    type: 'Adapter',
    model,
    isEncrypted: true,
    loggerProps: {},
    virtual: false,
    properties: { id: 'inventory', type: '', brokers: ['device'], groups: ['g'], properties },
  } satisfies AdapterDocument;
}

describe('a registered adapter of the public catalogue', () => {
  const addressOf = (own: Readonly<Record<string, unknown>>): unknown =>
    fileFormOf(documentWith(own), FOLDER)['baseUrl'];

  it('is one of the plugin that runs such adapters, with its settings among the options', () => {
    const own = { host: 'a.example', port: 8443, protocol: 'https' };
    assert.deepEqual(fileFormOf(documentWith(own), FOLDER), {
      plugin: 'itential-adapter',
      baseUrl: 'https://a.example:8443',
      options: { folder: FOLDER, properties: own },
      brokers: ['device'],
      groups: ['g'],
    });
  });

  const addresses: readonly (readonly [own: Readonly<Record<string, unknown>>, expected: string])[] = [
    [{ host: 'a.example', protocol: 'http', port: 80 }, 'http://a.example:80'],
    [{ host: 'a.example' }, 'https://a.example'],
    [{}, 'https://unknown.invalid'],
    [{ host: '$VAULT_a#host', port: 443 }, 'https://unknown.invalid'],
    [{ host: 'a@b.example/x?y' }, 'https://unknown.invalid'],
    [{ host: 'a.example', port: 70_000 }, 'https://unknown.invalid'],
    [{ host: 'a.example', protocol: 'ftp' }, 'https://a.example'],
  ];
  for (const [own, expected] of addresses) {
    it(`is told of with an address: ${JSON.stringify(own)}`, () => {
      assert.equal(addressOf(own), expected);
    });
  }

  it('has an address that can be read, whatever its settings are', () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), fc.anything(), (host, port, protocol) =>
        URL.canParse(String(addressOf({ host, port, protocol }))),
      ),
    );
  });

  it('has every value of its file form at a place of its document', () => {
    const document = documentWith({ authentication: { password: '$VAULT_a#p' } });
    const form = fileFormOf(document, FOLDER);
    for (const pointer of ['/options/properties/authentication/password', '/brokers/0', '/groups'])
      assert.deepEqual(valueAt(document, placeInRecord(pointer, document, form)), valueAt(form, pointer));
    assert.equal(placeInRecord('/options/folder', document, form), '/model');
    assert.equal(placeInRecord('/baseUrl', document, form), '/properties/properties/host');
  });

  it('is not meant by the name of the plugin itself', () => {
    const options = { folder: '../x', properties: { host: 'a.example' } };
    const document = documentWith({ baseUrl: 'https://a.example', options }, 'itential-adapter');
    const form = fileFormOf(document);
    assert.equal(isCatalogued(document, form), false);
    const pointer = '/options/properties/host';
    assert.equal(placeInRecord(pointer, document, form), `/properties/properties${pointer}`);
  });
});
