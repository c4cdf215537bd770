import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { whyGuessable } from '../../src/auth/weak-password.js';
import { ROOT } from '../docs/markdown.js';

describe('whyGuessable', () => {
  it('reports common words', () => {
    for (const password of [
      ...[
        'password',
        'Password1',
        'P@ssw0rd!',
        'passw0rd123',
        'PASSWORD2026!',
        'passwordpassword',
        '!!!Welcome1',
      ],
      ...[
        'Summer2024',
        'iloveyou1',
        'sunshine',
        'Dragon!!1',
        'letmein123',
        'monkey12',
        'football',
        'Superman99',
      ],
      ...['gatehouse', 'Gatehouse2026!', 'engineering1', 'administrator', 'g4teh0use', 'orchestrator#1'],
      // Each substitute for its letter.
      ...['d0lphin', 'k1ller', 's3cret', 'd4niel', '5unshine', '7rustno', 'd@niel', '$unshine', 'k!ller'],
    ])
      assert.match(whyGuessable(password) ?? '', /common word/, password);
  });

  it('reports runs of keys', () => {
    for (const password of [
      ...[
        'qwertyuiop',
        'Qwerty123',
        'poiuytrewq',
        'asdfghjkl',
        '1qaz2wsx',
        '1q2w3e4r',
        'abcdefgh',
        'zxcvbnm!',
        'qwertqwert',
      ],
    ])
      assert.match(whyGuessable(password) ?? '', /run of keys/, password);
  });

  for (const password of ['12345678', '19841231', '123456789a', 'abc12345', '00000000000000', '8675309a'])
    it(`reports too many digits: ${password}`, () => {
      assert.match(whyGuessable(password) ?? '', /digits/);
    });

  for (const password of ['aaaaaaaa', 'AaAaAaAa', 'xyxyxyxy', '!!!!!!!!!!!!', '1a1a1a1a'])
    it(`reports too few different characters: ${password}`, () => {
      assert.match(whyGuessable(password) ?? '', /different characters/);
    });

  it('reports every word about this server that the guide lists', () => {
    const page = readFileSync(join(ROOT, 'docs', 'how-to', 'manage-local-users.md'), 'utf8');
    const [, wordList = ''] = /words about this server\s\(([^)]+)\)/.exec(page) ?? [];
    const words = [...wordList.matchAll(/`(\w+)`/g)].map(([, word = '']) => word);
    assert.ok(words.length >= 4);
    for (const word of words) assert.match(whyGuessable(`${word}-2026`) ?? '', /common word/, word);
  });

  it('accepts generated and uncommon passwords', () => {
    for (const password of [
      ...[
        'correct horse',
        'password managers are fine',
        'Xk7#pQ2$',
        'vT9wLm3zQe',
        '4f2a-91c0-77be',
        'gut und lang',
      ],
      ...[
        'über den Wolken',
        '正しい馬の電池',
        'my gatehouse stands by the river',
        'kq7x93vd',
        '8f14e45fceea167a',
      ],
    ])
      assert.equal(whyGuessable(password), undefined, password);
  });
});
