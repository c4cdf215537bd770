import assert from 'node:assert/strict';
import '../../support/console-texts.js';
import { callersText, copiedText, sentenceOf } from '../../../console/src/pages/overview/issue-text.js';
import { observedIssue } from '../observed.js';

const UNREACHABLE = observedIssue();

describe('a problem in words', () => {
  it('is one sentence for one adapter, and for a group of adapters', () => {
    assert.equal(sentenceOf(UNREACHABLE), 'edge2 is unreachable');
    assert.equal(sentenceOf({ ...UNREACHABLE, adapters: ['a', 'b'] }), '2 adapters are unreachable');
  });

  it('has the answer of the orchestrator, its host and its words', () => {
    const failure = {
      status: 500,
      code: 'upstream_failed',
      host: 'nso1.example.com:8443',
      reason: 'database is locked',
    };
    const failing = { ...UNREACHABLE, code: 'calls-failing', failure, adapters: ['a', 'b'] } as const;
    assert.equal(sentenceOf(failing), '2 adapters: nso1.example.com:8443 answers 500 (database is locked)');
    assert.equal(
      sentenceOf({ ...failing, adapters: ['a'], failure: { ...failure, reason: '' } }),
      'a: nso1.example.com:8443 answers 500',
    );
    assert.equal(
      sentenceOf({ ...failing, failure: { ...failure, status: null } }),
      '2 adapters: many calls fail',
    );
  });

  it('tells how long secrets run on cached values', () => {
    const until = new Date();
    until.setHours(0, 47);
    const sealed = {
      ...UNREACHABLE,
      code: 'vault-sealed',
      cachedSecrets: 1,
      until: until.getTime(),
    } as const;
    const found = sentenceOf(sealed);
    assert.match(found, /^Vault is sealed\. 1 secret runs on a cached value until (00|12):47( AM)?\.$/u);
  });

  it('has a text to copy for a chat, with all adapters and the time in UTC', () => {
    assert.equal(
      copiedText(UNREACHABLE, UNREACHABLE.cause),
      'edge2 is unreachable. 10.0.0.5:443 refuses connections on this port. Since 2026-01-01T00:00:00.000Z.',
    );
    assert.match(copiedText({ ...UNREACHABLE, adapters: ['a', 'b'] }, ''), /\nAdapters: a, b$/);
  });

  it('names the callers whose calls fail', () => {
    assert.equal(callersText(UNREACHABLE), undefined);
    assert.equal(callersText({ hitCallers: ['ada'], hitCallersLeft: 0 }), 'Affected caller: ada');
    const found = callersText({ hitCallers: ['ada', 'ci-pipeline'], hitCallersLeft: 3 });
    assert.equal(found, 'Affected callers: ada, ci-pipeline, and 3 more');
  });
});
