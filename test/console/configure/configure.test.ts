import assert from 'node:assert/strict';
import { adapterFaults, nameFault } from '../../../console/src/pages/configure/adapter-faults.js';
import { matchingTemplates } from '../../../console/src/pages/configure/adapter-template.js';
import { formSchema } from '../../../console/src/pages/configure/form-schema.js';
import { sectionsOf } from '../../../console/src/pages/configure/form-sections.js';
import { offeredReferences, referencesIn } from '../../../console/src/pages/configure/references.js';
import { registrationOf } from '../../../console/src/pages/configure/registration.js';
import { missingSecretOf, savedMessage } from '../../../console/src/pages/configure/saved-message.js';
import {
  settingsIn,
  withOwnReferences,
  withSettings,
} from '../../../console/src/pages/configure/settings-text.js';
import { column } from '../../support/columns.js';

describe('the references that the form offers', () => {
  const used = (reference: string, kind: 'adapter' | 'settings' = 'adapter') =>
    ({ reference, usedBy: [{ kind, name: 'a', pointer: '/auth' }] }) as never;
  const IN_USE = [
    '$VAULT_adapters/nso1.example.com#token',
    '$VAULT_/secret/adapters/nso1.example.com/deeper#token',
    '$VAULT_adapters/nso10#token',
    '$VAULT_adapters/nso1.example.com.au#token',
  ];
  const offered = (adapterScope: string, references = IN_USE.map((one) => used(one))) =>
    offeredReferences(
      { vault: { adapterScope, mount: 'secret' } as never, references },
      'nso1.example.com',
    )('password');

  it('are below vault.adapterScope, with the own secret of the adapter first', () => {
    const own = '$VAULT_adapters/nso1.example.com#password';
    assert.deepEqual(offered('adapters/{name}'), [own, ...IN_USE.slice(0, 2)]);
    assert.deepEqual(offered('adapters'), [own, ...IN_USE]);
    assert.deepEqual(offered(''), [own, ...IN_USE]);
    assert.deepEqual(offered('team/{name}'), ['$VAULT_team/nso1.example.com#password']);
    assert.deepEqual(offered('team'), ['$VAULT_team/nso1.example.com#password']);
  });

  it('do not include the secrets of the settings', () => {
    assert.equal(offered('', [used('$VAULT_issuer#key', 'settings')]).length, 1);
  });

  it('are the examples of secrets alone, with the name of the member as the field', () => {
    const secret = { type: 'string', 'x-secret': true };
    const variant = { type: 'object', properties: { clientSecret: secret, username: { type: 'string' } } };
    const schema = { type: 'object', properties: { auth: { oneOf: [{ title: 'oauth2', ...variant }] } } };
    const text = JSON.stringify(formSchema(schema, (member) => [`$VAULT_x#${member}`]));
    assert.equal(text.split('"examples"').length, 2);
    assert.ok(text.includes('"examples":["$VAULT_x#clientSecret"]'), text);
  });

  it('are found in settings in both forms, each once', () => {
    const settings = { a: '$VAULT_x#y', b: { c: ['$VAULT_x#y', '$SECRET_x $KEY_y', '$$VAULT_x', 'text'] } };
    assert.deepEqual(referencesIn(JSON.stringify(settings)), [
      { reference: '$VAULT_x#y', place: 'a' },
      { reference: '$SECRET_x $KEY_y', place: 'b.c.1' },
    ]);
  });
});

const compact = (text: string): string => text.replaceAll(/\s/g, '');

describe('the settings in a document', () => {
  const DOCUMENT =
    '{"name":"a","brokers":[],"properties":{"id":"a","properties":{"z":1.0,"a":2}},"x-own":true}';
  const PLACE = { path: ['properties', 'properties'] };

  it('keep their digits and their order', () => {
    assert.equal(compact(settingsIn(DOCUMENT, PLACE)), '{"z":1.0,"a":2}');
    assert.equal(settingsIn('{"name":"a"}', PLACE), '{}');
  });

  it('are replaced without a change of the other members', () => {
    const text = withSettings(DOCUMENT, PLACE, '{"n":12345678901234567890}');
    assert.equal(
      compact(text),
      '{"name":"a","brokers":[],"properties":{"id":"a","properties":{"n":12345678901234567890}},"x-own":true}',
    );
    assert.equal(compact(withSettings('{}', { path: [] }, '{"a":1}')), '{"a":1}');
    const actual = compact(withSettings('{"name":"a"}', PLACE, '{}'));
    assert.equal(actual, '{"name":"a","properties":{"properties":{}}}');
  });

  it('are some members of the document, which keep their places', () => {
    const profile = '{"id":"a","log":{"level":"info"},"uiProps":{"n":1.0},"services":["x"]}';
    const place = { path: [], members: ['services', 'log'] };
    assert.equal(compact(settingsIn(profile, place)), '{"log":{"level":"info"},"services":["x"]}');
    const text = withSettings(profile, place, '{"services":["y"],"description":"d"}');
    assert.equal(compact(text), '{"id":"a","uiProps":{"n":1.0},"services":["y"],"description":"d"}');
  });

  it('are left out if the form emptied them, but kept if they were empty before', () => {
    const place = { path: [], omitsEmptied: true };
    const before = '{"egress":{"allow":["a"],"deny":[]},"log":{"level":"info"},"roles":{}}';
    const after = '{"egress":{"allow":[],"deny":[]},"log":{},"roles":{},"forms":{"list":[]}}';
    const text = withSettings(before, place, after);
    assert.equal(compact(text), '{"egress":{"deny":[]},"roles":{}}');
  });

  it('refer to the secrets of the adapter by its name', () => {
    const draft = withOwnReferences('"$VAULT_adapters/nso#password"', '');
    assert.equal(draft, '"$VAULT_adapters/name#password"');
    const named = withOwnReferences(draft, 'nso1.example.com', '');
    assert.equal(named, '"$VAULT_adapters/nso1.example.com#password"');
    assert.equal(withOwnReferences('"$VAULT_adapters/shared#p"', 'b', 'a'), '"$VAULT_adapters/shared#p"');
  });
});

describe('the errors of a refused adapter', () => {
  const at = (pointer: string, message: string) => ({ pointer: `/properties${pointer}`, message });

  it('are those of the name, of a setting, or of another member', () => {
    const faults = adapterFaults({
      code: 'invalid_request',
      errors: [
        at('/name', 'must match the pattern ^(?!__proto__$)'),
        at('/properties/properties/auth/password', 'must be a reference'),
        at('/model', 'is not a type of this server'),
      ],
    });
    assert.match(faults.name ?? '', /^Use 1 to 64 letters/);
    assert.deepEqual(faults.settings, [{ pointer: '/auth/password', message: 'must be a reference' }]);
    assert.deepEqual(faults.others, [at('/model', 'is not a type of this server')]);
    assert.match(adapterFaults({ code: 'name_taken', errors: [] }).name ?? '', /already/);
  });

  it('propose the name of an unknown setting', () => {
    const { settings } = adapterFaults({
      code: 'invalid_request',
      errors: [
        at('/properties/properties/baseURL', 'is unknown; did you mean "baseUrl"?.'),
        at('/properties/properties/zzz', 'is unknown'),
      ],
    });
    assert.deepEqual(column(settings, 'message'), [
      'Unknown setting "baseURL". Did you mean "baseUrl"?',
      'Unknown setting "zzz". Remove it, or correct its name.',
    ]);
  });

  it('include a name that the server would refuse', () => {
    assert.equal(nameFault('nso1.example.com'), undefined);
    assert.match(nameFault('') ?? '', /Enter a name/);
    assert.equal(nameFault('_core-1'), undefined);
    assert.match(nameFault('a/b') ?? '', /slashes/);
    assert.match(nameFault('a'.repeat(65)) ?? '', /64/);
  });
});

describe('an adapter that was saved, and cannot start', () => {
  const settings = { auth: { password: '$VAULT_adapters/nso1.example.com#password' } };
  const message =
    'Successfully created nso1.example.com. The adapter is dead: VAULT_NOT_FOUND at /auth/password.';

  it('names the secret that is missing', () => {
    assert.deepEqual(missingSecretOf(message, settings), {
      path: 'adapters/nso1.example.com',
      field: 'password',
    });
    assert.equal(
      savedMessage({ name: 'nso1.example.com', message, settings: JSON.stringify(settings) }),
      'nso1.example.com was saved but cannot start: Vault has no secret adapters/nso1.example.com.',
    );
  });

  it('keeps the words of the server for another cause', () => {
    assert.equal(missingSecretOf('the target refuses connections', settings), undefined);
    assert.equal(missingSecretOf(null, settings), undefined);
    const other = 'Successfully created nso1.example.com. The adapter is dead: no route.';
    const found = savedMessage({ name: 'nso1.example.com', message: other, settings: '{}' });
    assert.equal(found, 'nso1.example.com was saved. The adapter is dead: no route.');
  });
});

describe('the form of an adapter', () => {
  it('begins with what every adapter needs, and names the types of authentication', () => {
    const { properties } = formSchema({
      properties: {
        queue: { type: 'object' },
        auth: { title: 'Credentials', oneOf: [{ title: 'basic' }, { title: 'own' }] },
        zeta: {},
        baseUrl: { type: 'string', pattern: '^(?!__proto__$)', 'x-hint': 'must be a URL' },
      },
    });
    assert.deepEqual(Object.keys(properties as object), ['baseUrl', 'auth', 'queue', 'zeta']);
    assert.deepEqual(properties, {
      baseUrl: { type: 'string', 'x-hint': 'must be a URL' },
      auth: { title: 'Authentication', oneOf: [{ title: 'HTTP Basic' }, { title: 'own' }] },
      queue: { type: 'object' },
      zeta: {},
    });
  });

  it('finds a template by every word of a search', () => {
    const template = { id: 'nso', model: 'restconf', settings: {}, login: 'HTTP Basic', summary: 'RESTCONF' };
    const templates = [
      { ...template, title: 'Cisco NSO' },
      { ...template, title: 'NetBox' },
    ];
    assert.deepEqual(column(matchingTemplates(templates, 'nso basic'), 'title'), ['Cisco NSO']);
    assert.equal(matchingTemplates(templates, ' ').length, 2);
  });

  it('sends the settings as written', () => {
    const body = registrationOf({
      name: 'a"b',
      model: 'restconf',
      settings: '{"n": 1.0, "big": 12345678901234567890}',
    });
    assert.match(body, /"big": 12345678901234567890/);
    assert.equal((JSON.parse(body) as { properties: { name: string } }).properties.name, 'a"b');
  });
});

describe('sectionsOf the settings of an adapter', () => {
  it('groups the members that the plugin has, closed but the first, and leaves out empty sections', () => {
    const sections = sectionsOf({ properties: { baseUrl: {}, retry: {}, options: {} } });
    assert.deepEqual(sections, {
      'ui:sections': [
        { title: 'Connection and authentication', fields: ['baseUrl'], closed: false },
        { title: 'Health checks and options of the plugin', fields: ['options'], closed: true },
        { title: 'Timeouts, retries and limits', fields: ['retry'], closed: true },
      ],
    });
  });
});
