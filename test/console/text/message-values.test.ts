import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { messageValuesText } from '../../support/message-values.js';

const FILE = fileURLToPath(new URL('../../../../console/src/text/message-values.d.ts', import.meta.url));

describe('the types of the values of messages', () => {
  it('are those of the English messages, so that the compiler refuses a text without a value', () => {
    const text = messageValuesText();
    if (process.env['UPDATE_GOLDEN'] !== undefined) writeFileSync(FILE, text);
    assert.equal(readFileSync(FILE, 'utf8'), text, 'run UPDATE_GOLDEN=1 npm run test:unit');
  });
});
