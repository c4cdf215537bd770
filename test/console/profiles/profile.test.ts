import assert from 'node:assert/strict';
import { type Impact, impactSentence } from '../../../console/src/pages/profiles/impact.js';
import { profileFaults } from '../../../console/src/pages/profiles/profile-faults.js';
import { profileSettings } from '../../../console/src/pages/profiles/profile-settings.js';
import {
  copyOf,
  effectiveMembers,
  readObject,
  updateOf,
  withUpdate,
} from '../../../console/src/pages/profiles/profile.js';
import { profileSchema } from '../../../src/config/profile-schema.js';

describe('the profile editor', () => {
  it('sends the changed members, and null for removed members', () => {
    const before = { id: 'lab', _id: '1', description: 'a', log: { level: 'info' }, services: ['x'] };
    const after = { id: 'lab', description: 'b', services: ['x'], egress: { allow: [] } };
    assert.deepEqual(updateOf(before, after), { description: 'b', log: null, egress: { allow: [] } });
    assert.deepEqual(updateOf(before, { ...before }), {});
  });

  it('puts the changes of a person on top of those of another person', () => {
    const before = { id: 'lab', description: 'a', log: { level: 'info' }, services: ['x'] };
    const mine = updateOf(before, { id: 'lab', description: 'b', services: ['x'] });
    const theirs = { ...before, services: ['y'], forms: { maxForms: 7 } };
    const merged = { id: 'lab', description: 'b', services: ['y'], forms: { maxForms: 7 } };
    assert.deepEqual(withUpdate(theirs, mine), merged);
  });

  it('copies a profile under another name, without its record ID', () => {
    const copy = copyOf({ id: 'lab', _id: '1', log: { level: 'warn' } }, 'copy');
    assert.deepEqual(copy, { id: 'copy', log: { level: 'warn' } });
  });

  it('lists the members that have an effect, without empty and merely stored members', () => {
    const empty = { services: [], egress: { allow: [] }, roles: {} };
    const profile = { id: 'lab', ...empty, log: { level: 'warn' }, uiProps: { a: 1 } };
    assert.deepEqual(effectiveMembers(profile), ['egress', 'log']);
  });

  it('accepts only a JSON object', () => {
    assert.deepEqual(readObject('{"id":"a"}'), { value: { id: 'a' } });
    for (const text of ['', '[]', '1', 'null', '{']) assert.ok('fault' in readObject(text), text);
  });
});

describe('the form of a profile', () => {
  const kind = profileSettings({ adapters: ['nso1.example.com'], roles: ['viewer'] });
  const shown = kind.formSchema(profileSchema);
  const properties = shown['properties'] as Readonly<Record<string, Readonly<Record<string, unknown>>>>;

  it('has the members that take effect, in sections', () => {
    const { 'ui:sections': sections } = kind.uiSchema(shown) as {
      'ui:sections': readonly { readonly fields: readonly string[] }[];
    };
    const members = Object.keys(properties).sort().join(' ');
    assert.equal(members, 'access description egress forms log roles services');
    const found = sections.flatMap(({ fields }) => fields);
    assert.deepEqual(found, kind.place.members);
  });

  it('offers names of adapters and roles, and states no defaults, which come from the main file', () => {
    const text = JSON.stringify(shown);
    const { examples } = properties['services']?.['items'] as { examples: unknown };
    assert.deepEqual(examples, ['nso1.example.com']);
    assert.ok(text.includes('"examples":["viewer"]'));
    assert.ok(!text.includes('"default"'));
    assert.ok(!text.includes('"x-hint":"must be a host, host:port, CIDR or CIDR:port","pattern"'));
  });

  it('has the errors of the server at its members, and those of the name apart', () => {
    const faults = profileFaults({
      code: 'invalid_request',
      errors: [
        { pointer: '/properties/id', message: 'must be a name' },
        { pointer: '/properties/egress/allow/0', message: 'must be a host' },
      ],
    });
    assert.match(faults.name ?? '', /128 characters/);
    assert.deepEqual(faults.settings, [{ pointer: '/egress/allow/0', message: 'must be a host' }]);
    assert.match(profileFaults({ code: 'name_taken', errors: [] }).name ?? '', /already/);
  });
});

describe('the impact sentence of a profile', () => {
  const none = { starts: [], stops: [], restarts: [], settings: [], faults: [] };
  const nothing: Impact = { ...none, unchanged: 3, level: null };
  const cases: readonly (readonly [Partial<Impact>, string])[] = [
    [{}, 'Activation changes no adapter and no setting.'],
    [{ restarts: ['a', 'b', 'c'] }, '3 adapters restart.'],
    [{ starts: ['a'], stops: ['b', 'c'] }, '1 adapter starts. 2 adapters stop.'],
    [
      { settings: ['egress', 'log'], level: { from: 'info', to: 'debug' } },
      'Settings change: egress. The log level changes from info to debug.',
    ],
    [
      { restarts: ['a'], faults: [{ pointer: '/roles', code: 'roles', message: 'no', fix: '' }] },
      'This profile cannot be activated. Fix the settings listed here.',
    ],
  ];
  for (const [parts, sentence] of cases)
    it(sentence, () => {
      assert.equal(impactSentence({ ...nothing, ...parts }), sentence);
    });
});
