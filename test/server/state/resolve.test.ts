import assert from 'node:assert/strict';
import type { Resolution } from '../../../src/secrets/open-secrets.js';
import { redactedSecrets } from '../../../src/server/state/resolve.js';
import { createRedactor } from '../../../src/telemetry/log/redactor.js';

describe('redactedSecrets', () => {
  it('X-02 masks secrets from their first use until an hour after their last use', async () => {
    let now = 0;
    let value: Resolution = { value: 'first-value' };
    const source = {
      resolve: () =>
        Promise.resolve(
          new Map<string, Resolution>([
            ['/a', value],
            ['/b', { value: 1234567 }],
            ['/c', { code: 'VAULT_NOT_FOUND', message: 'm', fix: 'f' }],
          ]),
        ),
    };
    const redactor = createRedactor({ now: () => now });
    const redactedText = (): string => redactor.redact('first-value second-value 1234567');
    const firstSecrets = redactedSecrets(source, redactor);
    assert.equal((await firstSecrets.resolve([])).get('/a'), value);
    assert.equal(redactedText(), '[redacted] second-value [redacted]');

    value = { value: 'second-value' };
    await redactedSecrets(source, redactor).resolve([]);
    now = 10_000_000;
    assert.equal(redactedText(), '[redacted] [redacted] [redacted]');
    await firstSecrets.close();
    now += 3_599_999;
    assert.equal(redactedText(), '[redacted] [redacted] [redacted]');
    now += 1;
    assert.equal(redactedText(), 'first-value [redacted] [redacted]');
  });
});
