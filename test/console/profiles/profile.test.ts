import assert from 'node:assert/strict';
import { type Impact, impactSentence } from '../../../console/src/pages/profiles/impact.js';
import {
  copyOf,
  effectiveMembers,
  readObject,
  updateOf,
} from '../../../console/src/pages/profiles/profile.js';

describe('profiles on a page', () => {
  it('sends the members that differ, and null for those that are gone', () => {
    const before = { id: 'lab', _id: '1', description: 'a', log: { level: 'info' }, services: ['x'] };
    const after = { id: 'lab', description: 'b', services: ['x'], egress: { allow: [] } };
    assert.deepEqual(updateOf(before, after), { description: 'b', log: null, egress: { allow: [] } });
    assert.deepEqual(updateOf(before, { ...before }), {});
  });

  it('copies a profile under another name, without the id of its record', () => {
    assert.deepEqual(copyOf({ id: 'lab', _id: '1', log: { level: 'warn' } }, 'copy'), {
      id: 'copy',
      log: { level: 'warn' },
    });
  });

  it('tells the members that do something, and not those that are empty or only kept', () => {
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

  it('reads an object, and nothing else', () => {
    assert.deepEqual(readObject('{"id":"a"}'), { value: { id: 'a' } });
    for (const text of ['', '[]', '1', 'null', '{']) assert.ok('fault' in readObject(text), text);
  });
});

describe('what activating a profile does, in a sentence', () => {
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
