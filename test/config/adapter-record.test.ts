import assert from 'node:assert/strict';
import fc from 'fast-check';
import { documentOf, fileFormOf, isCatalogued, placeInRecord } from '../../src/config/adapter-record.js';
import { readDocument } from '../../src/config/document.js';
import type { AdapterDocument } from '../../src/core/adapter-document.js';
import { valueAt } from '../../src/json/pointer.js';
import { referenceSyntax } from '../../src/server/state/configuration.js';

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

describe('fileFormOf for a catalogue adapter', () => {
  const addressOf = (own: Readonly<Record<string, unknown>>): unknown =>
    fileFormOf(documentWith(own), FOLDER)['baseUrl'];

  it('names the itential-adapter plugin and puts the settings into the options', () => {
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
    it(`derives the base URL from ${JSON.stringify(own)}`, () => {
      assert.equal(addressOf(own), expected);
    });
  }

  it('returns a valid base URL for any settings (property)', () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), fc.anything(), (host, port, protocol) =>
        URL.canParse(String(addressOf({ host, port, protocol }))),
      ),
    );
  });

  it('maps every pointer into the file form to a pointer into the document', () => {
    const document = documentWith({ authentication: { password: '$VAULT_a#p' } });
    const form = fileFormOf(document, FOLDER);
    for (const pointer of ['/options/properties/authentication/password', '/brokers/0', '/groups'])
      assert.deepEqual(valueAt(document, placeInRecord(pointer, document, form)), valueAt(form, pointer));
    assert.equal(placeInRecord('/options/folder', document, form), '/model');
    assert.equal(placeInRecord('/baseUrl', document, form), '/properties/properties/host');
  });

  it('treats the plugin name itself as a plugin, not as a catalogue package', () => {
    const options = { folder: '../x', properties: { host: 'a.example' } };
    const document = documentWith({ baseUrl: 'https://a.example', options }, 'itential-adapter');
    const form = fileFormOf(document);
    assert.equal(isCatalogued(document, form), false);
    const pointer = '/options/properties/host';
    assert.equal(placeInRecord(pointer, document, form), `/properties/properties${pointer}`);
  });
});

describe('documentOf', () => {
  const documentFrom = (text: string, secrets: readonly string[] = [], at = '') => {
    const document = readDocument({ file: 'nso1.yaml', text }, {});
    return documentOf('nso1', { id: 'nso1', document, at, value: {}, secrets }, referenceSyntax);
  };

  it('has the settings of the file without those that stand elsewhere, and without the log', () => {
    const text =
      'plugin: restconf\nbaseUrl: http://a\nbrokers: [device]\ngroups: [g]\ntags: [t]\nlog: { level: debug }\n';
    const { name, model, properties } = documentFrom(text);
    assert.deepEqual([name, model], ['nso1', 'restconf']);
    assert.deepEqual(properties, {
      ...{ id: 'nso1', type: 'restconf', brokers: ['device'], groups: ['g'], tags: ['t'] },
      properties: { baseUrl: 'http://a' },
    });
  });

  it('has empty lists for those that the file leaves out, and no tags', () => {
    for (const tags of ['', 'tags: []\n', 'tags: t\n'])
      assert.deepEqual(
        documentFrom(`plugin: restconf\n${tags}`).properties,
        { id: 'nso1', type: 'restconf', brokers: [], groups: [], properties: {} },
        tags,
      );
  });

  it('leaves plaintext secrets empty, and keeps references and other texts', () => {
    const auth = (text: string, secrets: readonly string[]) =>
      documentFrom(`plugin: p\nauth: { username: u, password: ${text} }\n`, secrets).properties.properties[
        'auth'
      ];
    assert.deepEqual(auth('hunter2', ['/auth/password']), { username: 'u', password: '' });
    assert.deepEqual(auth('$VAULT_a#b', ['/auth/password']), { username: 'u', password: '$VAULT_a#b' });
    assert.deepEqual(auth('public', []), { username: 'u', password: 'public' });
  });

  it('is made of the part of the main file at its pointer', () => {
    const { model, properties } = documentFrom(
      'adapters: { nso1: { plugin: p, a: 1 } }',
      [],
      '/adapters/nso1',
    );
    assert.deepEqual([model, properties.properties], ['p', { a: 1 }]);
  });
});

describe('fileFormOf', () => {
  it('has the tags of the document, and none for a document without tags', () => {
    const document = documentWith({ a: 1 }, 'restconf');
    const lists = { brokers: ['device'], groups: ['g'] };
    assert.deepEqual(fileFormOf(document), { a: 1, plugin: 'restconf', ...lists });
    const tagged = { ...document, properties: { ...document.properties, tags: ['t'] } };
    assert.deepEqual(fileFormOf(tagged), { a: 1, plugin: 'restconf', ...lists, tags: ['t'] });
  });
});
