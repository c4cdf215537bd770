import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mock } from 'node:test';
import fc from 'fast-check';
import { createRedactor } from '../../../src/telemetry/log/redactor.js';
import { createEndpoints } from '../../../src/upstream/endpoint.js';
import type { UpstreamCall } from '../../../src/upstream/send.js';
import { createRecorder } from '../../../src/upstream/stub/recording.js';
import { scrubBody, scrubPath } from '../../../src/upstream/stub/scrub.js';
import { adapterSettings } from '../../support/adapter-settings.js';
import { createFakeScheduler } from '../../support/fake-scheduler.js';
import { memoryLog } from '../../support/memory-log.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const asIs = (text: string): string => text;
const NAMES = [
  'password',
  'admin-password',
  'apiKey',
  'snmp:community',
  'Tokens',
  'client_secret',
  'p\u0061sswd',
];

/** Returns the JSON of a scrubbed body. */
function scrubbed(body: unknown): unknown {
  return JSON.parse(scrubBody(JSON.stringify(body), asIs));
}

describe('scrubBody', () => {
  it('removes all values below a secret name, at any depth, and keeps the types (bug: nested secrets were recorded)', () => {
    const others = { 'has-password': true, 'old-password': null, 'passive-interface': { name: 'ge-0/0/1' } };
    const credentials = { user: 'u', more: [{ pin: 'hunter2' }] };
    const secrets = { secret: ['hunter2', ['hunter2']], token: 'hunter2', 'pin-secret': 4711 };
    assert.deepEqual(scrubbed({ a: [{ credentials, tokens: [{ id: 'hunter2' }] }], ...secrets, ...others }), {
      a: [{ credentials: {}, tokens: [] }],
      secret: [],
      token: '[redacted]',
      'pin-secret': 0,
      ...others,
    });
  });

  it('does not parse each short text as JSON (15,000 texts of a reply stopped the event loop for 250 ms)', () => {
    const parse = JSON.parse.bind(JSON);
    let failed = 0;
    mock.method(JSON, 'parse', (text: string) => {
      failed += 1;
      const value: unknown = parse(text);
      failed -= 1;
      return value;
    });
    try {
      const body = [...Array<string>(5_000).fill('ge-0/0/1'), ...Array<string>(5_000).fill('{}}')];
      assert.deepEqual(scrubbed(body), body);
      assert.equal(failed, 0);
      const broken = scrubbed(Array<string>(5_000).fill('{a}')) as string[];
      assert.deepEqual([broken[0], broken.at(-1), failed], ['{a}', '[redacted]', 500]);
    } finally {
      mock.restoreAll();
    }
  });

  it('recognizes escaped names and values', () => {
    assert.equal(scrubBody('{"p\\u0061ssword": {"x": 1}, "b": 2}', asIs), '{"p\\u0061ssword": {}, "b": 2}');
    const known = createRedactor();
    known.add(['s/cr<t-ä', '98765432']);
    assert.equal(
      scrubBody('{"a":"x s\\/cr\\u003ct-\\u00e4","b":98765432,"c":[1.50]}', known.redact),
      '{"a":"x [redacted]","b":0,"c":[1.50]}',
    );
  });

  it('removes the secret from a text, alone and inside JSON', () => {
    for (const [what, text] of [
      ['a URL', 'https://r1.example/x?a=1&access_token=hunter2'],
      ['a URL with a password', 'https://ada:hunter2@r1.example/x'],
      ['a URL in a URL', '/login?next=%2Fx%3Ftoken%3Dhunter2%26b=1'],
      ['a header', 'Authorization: Digest username="ada", response="hunter2"'],
      ['a cookie', 'Set-Cookie: SID=1; k=hunter2'],
      ['a form', 'user=ada&password=hunter2'],
      [
        'an XML element',
        '<a><x:secret level="hunter2"><b>hunter2</b><x:secret/><![CDATA[</x:secret>hunter2]]></x:secret></a>',
      ],
      ['an XML attribute', "<user name='ada' password='hunter2'/>"],
      ['JSON in a string', '{"a": {"password": {"b": "hunter2"}}}'],
      ['JSON in a string of JSON', JSON.stringify({ a: JSON.stringify({ tokens: [{ a: 'hunter2' }] }) })],
      ['truncated JSON', '{"a": 1, "credentials": {"b": ["x", "hunter2"'],
      ['lines of JSON', '{"a":1}\n{"password":\n {"b":"hunter2"}}\n'],
      ['a Python dictionary', "{'a': 1, 'password': 'hunter2'}"],
      ['a line of configuration', 'snmp-server location x\nsnmp-server community hunter2 RO\n'],
      ['a private key', '-----BEGIN RSA PRIVATE KEY-----\nhunter2\n-----END RSA PRIVATE KEY-----'],
    ] as const) {
      assert.doesNotMatch(scrubBody(text, asIs), /hunter2/, what);
      const inside = scrubBody(JSON.stringify({ note: text, after: 1 }), asIs);
      assert.doesNotMatch(inside, /hunter2/, what);
      assert.equal((JSON.parse(inside) as { after: number }).after, 1, what);
    }
  });

  it('returns a text without secrets unchanged', () => {
    for (const text of [
      '{"a" : [1.0, 12345678901234567890, "\\u00e4", {"b":null}]}\n',
      '<rpc-reply xmlns="urn:x"><data a="1">x &amp; y</data></rpc-reply>',
      'interface ge-0/0/1\n description up: yes\n',
      '',
    ])
      assert.equal(scrubBody(text, asIs), text);
  });

  it('removes the values of secret list keys and parameters from a path', () => {
    for (const shown of [
      '/data/snmp:community=[redacted]/x?a=1',
      '/a;token=[redacted]/b?api%2Dkey=[redacted]&c=3#access_token=[redacted]',
      'https://[redacted]@r1/x',
      '/data/interface=ge%2F0,1?depth=2',
    ])
      assert.equal(scrubPath(shown.replaceAll('[redacted]', 'hunter2'), asIs), shown);
  });
});

/** Generates texts that begin with a marker that all encodings of JSON, URLs and XML leave unchanged. */
const canary = fc.nat({ max: 0xffff }).map((number) => `c4n4ry${number.toString(16).padStart(4, '0')}zz`);
const known = ['kn0wn-s3cret', 'kn0wn "quoted" / ä & <b>', '8675309867'];
const plain = fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer(), fc.boolean(), fc.constant(null));
const nameArbitrary = fc.string({ minLength: 1, maxLength: 8 });

/** Generates JSON trees with the given leaves. */
function tree(leaf: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.letrec<{ node: unknown }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.array(tie('node'), { maxLength: 3 }),
      fc.dictionary(nameArbitrary, tie('node'), { maxKeys: 3 }),
    ),
  })).node;
}

const secretMember = fc.dictionary(fc.constantFrom(...NAMES), tree(canary), { minKeys: 1, maxKeys: 1 });
const knownText = fc
  .tuple(fc.string({ maxLength: 5 }), fc.constantFrom(...known))
  .map(([before, secret]) => `${before}${secret}`);
const templates = fc.constantFrom(
  'https://h/x?token=VALUE&a=b',
  'X-Auth-Token: VALUE',
  '<a><password><b>VALUE</b></password></a>',
  'user=a&client_secret=VALUE',
  '{"a":[{"credentials":{"x":["VALUE"]}}]}',
);
const embedded = fc.tuple(canary, templates).map(([value, template]) => template.replace('VALUE', value));
const document = tree(fc.oneof(plain, secretMember, knownText, embedded, fc.constant(8675309867)));
const escaped = (json: string): string =>
  json.replaceAll(/[^\x20-\x7e]|[<&]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);

describe('a recording of a random reply', () => {
  it('contains no secret and can be replayed', async () => {
    const { path: recordings } = temporaryFolder();
    const settings = adapterSettings({ baseUrl: 'http://a', record: true, recordings });
    const scheduler = createFakeScheduler();
    const endpoints = createEndpoints(settings, { clock: scheduler, random: Math.random });
    const redactor = createRedactor();
    redactor.add(known);
    const { log } = memoryLog();
    const record = createRecorder(settings, endpoints, { redact: redactor.redact, log });
    const request = { method: 'GET', path: '/x', headers: {} };
    await fc.assert(
      fc.asyncProperty(document, fc.boolean(), async (value, isEscaped) => {
        const json = JSON.stringify(value);
        const body = Buffer.from(isEscaped ? escaped(json) : json);
        const reply = { status: 200, headers: {}, body };
        await record({ request } as unknown as UpstreamCall, () => Promise.resolve(reply));
        const [file = ''] = readdirSync(join(recordings, 'a'));
        const kept = readFileSync(join(recordings, 'a', file), 'utf8');
        const played = (JSON.parse(kept) as { reply: { body: string } }).reply.body;
        JSON.parse(played);
        for (const text of [kept, played, played.replaceAll('\\', '')])
          for (const secret of ['c4n4ry', 'kn0wn', '8675309867']) assert.ok(!text.includes(secret), text);
      }),
      { numRuns: 300 },
    );
  });
});
