import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { whyGuessable } from '../../src/cli/hash.js';
import { ROOT } from '../docs/markdown.js';
import { runCommand } from '../support/command-io.js';

describe('whyGuessable', () => {
  it('reports common words', () => {
    const words =
      'password Password1 P@ssw0rd! passw0rd123 PASSWORD2026! passwordpassword !!!Welcome1 Summer2024';
    const names =
      'iloveyou1 sunshine Dragon!!1 letmein123 monkey12 football Superman99 gatehouse Gatehouse2026!';
    const ours = 'engineering1 administrator g4teh0use orchestrator#1';
    const substitutes = 'd0lphin k1ller s3cret d4niel 5unshine 7rustno d@niel $unshine k!ller';
    for (const password of `${words} ${names} ${ours} ${substitutes}`.split(' '))
      assert.match(whyGuessable(password) ?? '', /common word/, password);
  });

  it('reports runs of keys', () => {
    const runs = 'qwertyuiop Qwerty123 poiuytrewq asdfghjkl 1qaz2wsx 1q2w3e4r abcdefgh zxcvbnm! qwertqwert';
    for (const password of runs.split(' '))
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
    const sentences = 'correct horse|password managers are fine|gut und lang|über den Wolken|正しい馬の電池';
    const random = 'Xk7#pQ2$|vT9wLm3zQe|4f2a-91c0-77be|kq7x93vd|8f14e45fceea167a';
    for (const password of `my gatehouse stands by the river|${sentences}|${random}`.split('|'))
      assert.equal(whyGuessable(password), undefined, password);
  });
});

describe('gatehouse hash', () => {
  it('says that no password was given (bug: it had fewer than 8 characters)', async () => {
    const { code, err } = await runCommand(['hash'], { input: '' });
    assert.equal(code, 64);
    assert.match(err, /no password was given: type it, or send it as the standard input/);
  });
});
