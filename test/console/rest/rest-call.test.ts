import assert from 'node:assert/strict';
import { adviceFor, allowEntryFor, egressDecisionOf } from '../../../console/src/pages/rest/call-outcome.js';
import { forgetCalls, pastCalls, pastUris, rememberCall } from '../../../console/src/pages/rest/history.js';
import { masked, maskedDraft } from '../../../console/src/pages/rest/masked.js';
import { type Draft, EMPTY_DRAFT, readDraft } from '../../../console/src/pages/rest/rest-call.js';

const SECRETS =
  's3cr3t-header s3cr3t-cookie s3cr3t-body s3cr3t-inner s3cr3t-pw s3cr3t-query s3cr3t-user'.split(' ');

const DRAFT: Draft = {
  verb: 'POST',
  uri: 'https://bob:s3cr3t-user@inventory.example/devices?site=berlin&api_key=s3cr3t-query',
  headers: 'Accept: application/json\nAuthorization: Bearer s3cr3t-header\ncookie: a=s3cr3t-cookie',
  body: '{"name":"r1","password":"s3cr3t-body","login":[{"accessToken":"s3cr3t-inner"}]}',
  user: 'bob',
  password: 's3cr3t-pw',
  responseHeaders: true,
};

describe('the composer of the REST tool', () => {
  it('sends the filled-in fields only', () => {
    assert.deepEqual(readDraft({ ...EMPTY_DRAFT, uri: ' https://a.example/ ' }), {
      body: { uri: 'https://a.example/', verb: 'GET', responseHeaders: true },
    });
    const read = readDraft(DRAFT);
    assert.ok('body' in read);
    assert.deepEqual(read.body.headers, {
      Accept: 'application/json',
      Authorization: 'Bearer s3cr3t-header',
      cookie: 'a=s3cr3t-cookie',
    });
    assert.equal(read.body.password, 's3cr3t-pw');
  });

  it('names every field that cannot be sent', () => {
    const read = readDraft({ ...EMPTY_DRAFT, headers: 'Accept: a\nnothing', body: '[1]' });
    assert.ok('faults' in read);
    assert.deepEqual(Object.keys(read.faults), ['uri', 'headers', 'body']);
    assert.match(read.faults.headers ?? '', /Line 2/);
  });
});

describe('the history of the REST tool', () => {
  function notIn(text: string): void {
    for (const secret of SECRETS) assert.ok(!text.includes(secret), `${secret} in ${text}`);
  }

  it('masks secrets, and only secrets, in copied requests', () => {
    const read = readDraft(DRAFT);
    assert.ok('body' in read);
    const text = JSON.stringify(masked(read.body));
    notIn(text);
    for (const kept of ['inventory.example', 'site=berlin', 'application/json', '"r1"'])
      assert.ok(text.includes(kept), kept);
  });

  it('masks secrets in the history, and drops bodies that are not valid JSON', () => {
    notIn(JSON.stringify(maskedDraft(DRAFT)));
    assert.equal(maskedDraft({ ...DRAFT, body: '{"password":"s3cr3t-body' }).body, '');
  });

  it('keeps the latest 30 calls of each user, newest first', () => {
    const texts = new Map<string, string>();
    const store = {
      getItem: (key: string) => texts.get(key) ?? null,
      setItem: (key: string, text: string) => void texts.set(key, text),
      removeItem: (key: string) => void texts.delete(key),
    };
    for (let at = 1; at <= 40; at++) rememberCall(store, 'ada', { at, ms: 1, draft: DRAFT, outcome: '200' });
    const past = pastCalls(store, 'ada');
    assert.deepEqual([past.length, past[0]?.at, past.at(-1)?.at], [30, 40, 11]);
    notIn([...texts.values()].join());
    assert.deepEqual(pastCalls(store, 'bob'), []);
    forgetCalls(store, 'ada');
    assert.deepEqual(pastCalls(store, 'ada'), []);
  });

  it('suggests each earlier URI once, and none from which a secret was removed', () => {
    const call = (uri: string) => ({ at: 1, ms: 1, outcome: '200', draft: maskedDraft({ ...DRAFT, uri }) });
    const uris = [
      'https://b.example/',
      'https://a.example/',
      'https://b.example/',
      'https://c.example/?token=x',
    ];
    assert.deepEqual(pastUris(uris.map(call)), ['https://b.example/', 'https://a.example/']);
  });

  it('reads an invalid history as empty', () => {
    for (const text of ['', 'x', '{}', '[1]', '[{"at":1,"ms":1,"outcome":"a","draft":{"uri":1}}]'])
      assert.deepEqual(
        pastCalls({ getItem: () => text, setItem: () => undefined, removeItem: () => undefined }, 'ada'),
        [],
      );
  });
});

describe('the decision of the egress policy', () => {
  const cases = [
    [undefined, 'Allowed'],
    ['egress_denied', 'Blocked'],
    ['upstream_timeout', 'Allowed'],
    ['invalid_uri', 'Not checked'],
    ['audit_unavailable', 'Not checked'],
  ] as const;
  for (const [code, word] of cases)
    it(`shows "${word}" for ${code ?? 'a response'}`, () => {
      const verdict = egressDecisionOf(
        code === undefined ? undefined : { code, message: 'its address is link-local' },
      );
      assert.equal(verdict.word, word);
      if (word === 'Blocked') assert.equal(verdict.why, 'its address is link-local');
    });

  it('suggests no allow entry for metadata and link-local addresses', () => {
    const denied = (address: string) => ({
      code: 'egress_denied',
      message: `calls to "h" are not allowed: its address is ${address}`,
    });
    assert.equal(adviceFor('http://10.0.0.1', denied('private')), '10.0.0.1:80');
    assert.equal(adviceFor('http://169.254.169.254', denied('metadata')), undefined);
    assert.equal(adviceFor('http://169.254.1.1', denied('link-local')), undefined);
    assert.equal(adviceFor('http://10.0.0.1', { code: 'not_found', message: '' }), undefined);
  });

  it('suggests the allow entry for a URI', () => {
    assert.equal(allowEntryFor('https://a.example/x'), 'a.example:443');
    assert.equal(allowEntryFor('http://[::1]:8080/'), '[::1]:8080');
    assert.equal(allowEntryFor('http://10.0.0.1'), '10.0.0.1:80');
    assert.equal(allowEntryFor('ftp://a.example'), undefined);
    assert.equal(allowEntryFor('nothing'), undefined);
  });
});
