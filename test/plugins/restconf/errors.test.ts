import assert from 'node:assert/strict';
import { explainErrors } from '../../../plugins/restconf/errors.js';

const explain = (body: string) => explainErrors({ status: 400, headers: {}, body: Buffer.from(body) });
const json = (...error: unknown[]) => JSON.stringify({ 'ietf-restconf:errors': { error } });
const xml = (inner: string) => `<errors xmlns="urn:ietf:params:xml:ns:yang:ietf-restconf">${inner}</errors>`;

const lockDenied = {
  'error-type': 'protocol',
  'error-tag': 'lock-denied',
  'error-path': '/ietf-interfaces:interfaces',
  'error-message': 'Lock failed; lock already held',
};
const inWords = {
  detail: 'Lock failed; lock already held',
  errors: [
    { pointer: '/ietf-interfaces:interfaces', message: 'lock-denied: Lock failed; lock already held' },
  ],
};

describe('explainErrors of restconf', () => {
  it('parses JSON (RFC 8040 section 7.1)', () => {
    assert.deepEqual(explain(json(lockDenied)), inWords);
  });

  it('parses the member name of the drafts, and an error outside of a list', () => {
    assert.deepEqual(explain(JSON.stringify({ errors: { error: lockDenied } })), inWords);
  });

  it('parses XML with a prefix, attributes, comments, CDATA and entities', () => {
    const text = `<?xml version="1.0"?><rc:errors xmlns:rc="urn:ietf:params:xml:ns:yang:ietf-restconf">
      <rc:error><!-- <rc:error-tag>no</rc:error-tag> -->
        <rc:error-tag>lock-denied</rc:error-tag>
        <rc:error-path xmlns:if="x">/ietf-interfaces:interfaces</rc:error-path>
        <rc:error-message xml:lang="en"><![CDATA[Lock failed;]]> lock&#32;already&#x20;held</rc:error-message>
      </rc:error></rc:errors>`;
    assert.deepEqual(explain(text), inWords);
    assert.equal(
      explain(xml('<error><error-message>a &amp;lt; b</error-message></error>'))?.detail,
      'a &lt; b',
    );
  });

  it('uses the words of the tag if the error has no message', () => {
    assert.deepEqual(explain(json({ 'error-tag': 'data-missing' })), {
      detail: 'data missing',
      errors: [{ pointer: '', message: 'data-missing' }],
    });
    assert.equal(explain(xml('<error><error-tag>too-big</error-tag></error>'))?.detail, 'too big');
  });

  it('ODL-6: contains error-info, as JSON, as XML and as the text of OpenDaylight', () => {
    const message = 'Invalid GET /data parameters';
    const text = "Invalid content value: Value can be 'all', not 'bad'\n\tat org.opendaylight.A.b(A.java:1)";
    const inWords = `${message}: Invalid content value: Value can be 'all', not 'bad'`;
    const error = { 'error-tag': 'invalid-value', 'error-message': message };
    assert.deepEqual(explain(json({ ...error, 'error-info': text })), {
      detail: inWords,
      errors: [{ pointer: '', message: `invalid-value: ${inWords}` }],
    });
    const info = { 'bad-element': 'mtu', range: { min: 68, max: [9000, 9216] } };
    const leaves = '<a:bad-element xmlns:a="x">mtu</a:bad-element><min>68</min><min>9</min>';
    const inXml = (content: string) =>
      xml(`<error><error-message>${message}</error-message>${content}</error>`);
    for (const [body, detail] of [
      [json({ ...error, 'error-info': info }), `${message}: bad-element: mtu, min: 68, max: 9000, max: 9216`],
      [inXml(`<error-info>${leaves}</error-info>`), `${message}: bad-element: mtu, min: 68, min: 9`],
      [inXml('<error-info>no &lt; 68</error-info>'), `${message}: no < 68`],
      ...['<error-info/>', '<error-info></error-info>', '<error-info> </error-info>'].map(
        (empty) => [inXml(empty), message] as const,
      ),
      ...[null, {}, [], '', ' ', 7, message].map(
        (empty) => [json({ ...error, 'error-info': empty }), message] as const,
      ),
    ] as const)
      assert.equal(explain(body)?.detail, detail, body);
  });

  it('returns several errors in order, up to 32', () => {
    const messages = (count: number) =>
      explain(json(...Array.from({ length: count }, (_, at) => ({ 'error-message': `m${at}` }))))?.errors;
    assert.deepEqual(messages(2), [
      { pointer: '', message: 'm0' },
      { pointer: '', message: 'm1' },
    ]);
    assert.equal(messages(100)?.length, 32);
    assert.equal(explain(xml('<error><error-tag>a</error-tag></error>'.repeat(3)))?.errors?.length, 3);
  });

  it('reads 32 entries and 64 KiB at most: each entry took time of the event loop', () => {
    const late = Array.from({ length: 33 }, (_, at) => (at < 32 ? {} : { 'error-tag': 'late' }));
    assert.equal(explain(json(...late)), undefined);
    assert.equal(
      explain(xml(`${'<error></error>'.repeat(32)}<error><error-tag>late</error-tag></error>`)),
      undefined,
    );
    const long = (blanks: number): string => `${json({ 'error-tag': 'a' })}${' '.repeat(blanks)}`;
    assert.ok(explain(long(65_000)));
    assert.equal(explain(long(65_536)), undefined);
  });

  it('returns one line of limited length', () => {
    const detail = explain(json({ 'error-message': ` a\r\n b\t${'x '.repeat(5000)}` }))?.detail ?? '';
    assert.match(detail, /^a b( x)+$/);
    assert.ok(detail.length <= 1000);
  });

  it('returns undefined for other documents', () => {
    const others = ['', '{}', '[]', 'null', '{"ietf-restconf:errors":{}}', '<html><error>x</error></html>'];
    const odd = [
      json(),
      json({}),
      json(null, 7, 'x'),
      json({ 'error-message': 7 }),
      '{"ietf-restconf:errors":[]}',
    ];
    for (const body of [...others, ...odd, xml(''), xml('<error/>'), `${json(lockDenied)}x`])
      assert.equal(explain(body), undefined, body);
    assert.equal(explain(`${' '.repeat(300_000)}${json(lockDenied)}`), undefined);
  });
});
