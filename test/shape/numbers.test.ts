import assert from 'node:assert/strict';
import { structureNumbers } from './numbers.js';

describe('the numbers of the structure', () => {
  for (const { about, value, limit, aim } of structureNumbers())
    it(`have at most ${limit} ${about} (aim: ${aim})`, () => {
      assert.ok(value <= limit, `${value} ${about}`);
    });
});
