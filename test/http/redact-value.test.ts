import assert from 'node:assert/strict';
import { redactValue } from '../../src/http/redact-value.js';

describe('redactValue', () => {
  it('redacts the secrets in all texts and keeps everything else', () => {
    const redact = (text: string) => text.replaceAll('hunter2', '[redacted]');
    const value = { a: 'it is hunter2', b: [1, null, true, ['hunter2']], c: { d: 'x' } };
    assert.deepEqual(redactValue(value, redact), {
      a: 'it is [redacted]',
      b: [1, null, true, ['[redacted]']],
      c: { d: 'x' },
    });
    assert.equal(redactValue<string | undefined>(undefined, redact), undefined);
  });

  it('finding F13: redacts the names of members, and keeps those that become equal apart', () => {
    const redact = (text: string) => text.replaceAll(/hunter\d/g, '[redacted]');
    const value = { hunter1: 1, hunter2: 2, 'is hunter3': { hunter4: [] } };
    assert.deepEqual(redactValue(value, redact), {
      '[redacted]': 1,
      '[redacted] (2)': 2,
      'is [redacted]': { '[redacted]': [] },
    });
  });
});
