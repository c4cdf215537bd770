import assert from 'node:assert/strict';
import { type Impact, impactSentence } from '../../../console/src/pages/profiles/impact.js';
import {
  copyOf,
  effectiveMembers,
  readObject,
  updateOf,
} from '../../../console/src/pages/profiles/profile.js';

describe('the profile editor', () => {
  it('sends the changed members, and null for removed members', () => {
    const before = { id: 'lab', _id: '1', description: 'a', log: { level: 'info' }, services: ['x'] };
    const after = { id: 'lab', description: 'b', services: ['x'], egress: { allow: [] } };
    assert.deepEqual(updateOf(before, after), { description: 'b', log: null, egress: { allow: [] } });
    assert.deepEqual(updateOf(before, { ...before }), {});
  });

  it('copies a profile under another name, without its record ID', () => {
    assert.deepEqual(copyOf({ id: 'lab', _id: '1', log: { level: 'warn' } }, 'copy'), {
      id: 'copy',
      log: { level: 'warn' },
    });
  });

  it('lists the members that have an effect, without empty and merely stored members', () => {
    const profile = {
      id: 'lab',
      services: [],
      egress: { allow: [] },
      roles: {},
      log: { level: 'warn' },
      uiProps: { a: 1 },
    };
    assert.deepEqual(effectiveMembers(profile), ['egress', 'log']);
  });

  it('accepts only a JSON object', () => {
    assert.deepEqual(readObject('{"id":"a"}'), { value: { id: 'a' } });
    for (const text of ['', '[]', '1', 'null', '{']) assert.ok('fault' in readObject(text), text);
  });
});

describe('the impact sentence of a profile', () => {
  const nothing: Impact = {
    starts: [],
    stops: [],
    restarts: [],
    unchanged: 3,
    settings: [],
    level: null,
    faults: [],
  };
  const cases: readonly (readonly [Partial<Impact>, string])[] = [
    [{}, 'Activation changes nothing that is running.'],
    [{ restarts: ['a', 'b', 'c'] }, 'Activation restarts 3 adapters.'],
    [{ starts: ['a'], stops: ['b', 'c'] }, 'Activation starts 1 adapter; stops 2 adapters.'],
    [
      { settings: ['egress', 'log'], level: { from: 'info', to: 'debug' } },
      'Activation changes egress; logs debug instead of info.',
    ],
    [
      { restarts: ['a'], faults: [{ pointer: '/roles', code: 'roles', message: 'no', fix: '' }] },
      'The server would refuse to activate this profile. Nothing would change.',
    ],
  ];
  for (const [parts, sentence] of cases)
    it(sentence, () => {
      assert.equal(impactSentence({ ...nothing, ...parts }), sentence);
    });
});
