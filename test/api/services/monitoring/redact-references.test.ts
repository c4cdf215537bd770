import assert from 'node:assert/strict';
import { withoutSecrets } from '../../../../src/api/services/monitoring/monitoring.js';

describe('withoutSecrets', () => {
  it('redacts the secrets in all texts and keeps everything else', () => {
    const redact = (text: string) => text.replaceAll('hunter2', '[redacted]');
    const value = { a: 'it is hunter2', b: [1, null, true, ['hunter2']], c: { d: 'x' } };
    assert.deepEqual(withoutSecrets(value, redact), {
      a: 'it is [redacted]',
      b: [1, null, true, ['[redacted]']],
      c: { d: 'x' },
    });
    assert.equal(withoutSecrets<string | undefined>(undefined, redact), undefined);
  });
});
