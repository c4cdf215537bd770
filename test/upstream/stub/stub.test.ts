import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openUpstream } from '../../../src/upstream/open-upstream.js';
import { parseRecording, recordingFile } from '../../../src/upstream/stub/recording.js';
import { scrubBody, scrubPath } from '../../../src/upstream/stub/scrub.js';
import { parseBaseUrl } from '../../../src/upstream/target.js';
import { adapterSettings, type WrittenAdapter } from '../../support/adapter-settings.js';
import { problem } from '../../support/failing.js';
import { answer, type HostileUpstream, startHostileUpstream } from '../../support/hostile-upstream.js';
import { memoryLog } from '../../support/memory-log.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { neverAborted } from '../upstreams.js';

const get = (path: string) => ({ method: 'GET', path, headers: { accept: 'a/b' } }) as const;

/** Returns the content of all files in a folder as one text. */
function contentOf(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');
}

/** Starts a server that sends the same head and body in every reply. */
function reply(body: string | Buffer, head = 'content-type: application/json\r\n'): Promise<HostileUpstream> {
  const status = `HTTP/1.1 200 OK\r\n${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n`;
  return startHostileUpstream([answer(Buffer.concat([Buffer.from(status), Buffer.from(body)]))]);
}

/** Returns the messages about recordings; every call has a line as well. */
function messagesOf(lines: readonly { readonly message: string }[]): readonly string[] {
  return lines.map(({ message }) => message).filter((message) => message.startsWith('reply'));
}

describe('the stub mode of an adapter', () => {
  const folder = (): string => join(temporaryFolder().path, 'recordings');

  async function record(
    server: HostileUpstream,
    recordings: string,
    { path = '/data?x=1', ...more }: WrittenAdapter & { readonly path?: string } = {},
  ) {
    const { log, lines } = memoryLog();
    const written = { baseUrl: `${server.origin}/api`, record: true, recordings, ...more };
    const upstream = openUpstream(adapterSettings(written), {}, { log });
    const real = await upstream.send(get(path), neverAborted());
    await upstream.close();
    await server.close();
    return { real, lines, stub: openUpstream(adapterSettings({ ...written, stub: true }), {}) };
  }

  /** Opens an adapter with one recording, of a GET of `/x`. */
  function stubWith(recording: string) {
    const recordings = folder();
    const file = recordingFile(recordings, parseBaseUrl('http://a'), get('/x'));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, recording);
    return openUpstream(adapterSettings({ baseUrl: 'http://a', stub: true, recordings }), {});
  }

  it('replays the recorded reply of the orchestrator without a request', async () => {
    const recordingFolder = folder();
    const { real, stub } = await record(await reply('{"a":12345678901234567890}'), recordingFolder);
    const replayed = await stub.send(get('/data?x=1'), neverAborted());
    assert.equal(replayed.status, 200);
    assert.deepEqual(replayed.body, real.body, 'byte for byte');
    assert.equal(replayed.headers['content-type'], 'application/json');
    await stub.close();
  });

  it('reports the missing reply, without the query', async () => {
    const { stub } = await record(await reply('{}'), folder());
    const missing = problem('stub_missing', /no reply is recorded for GET \/other$/);
    await assert.rejects(stub.send(get('/other?token=hunter2'), neverAborted()), missing);
    for (const other of [{ ...get('/data?x=1'), method: 'POST' }, get('/data?x=2')])
      await assert.rejects(stub.send(other, neverAborted()), problem('stub_missing'));
  });

  it('refuses the same paths as a real upstream', async () => {
    const stub = openUpstream(adapterSettings({ baseUrl: 'http://a', stub: true, recordings: folder() }), {});
    await assert.rejects(stub.send(get('/../x'), neverAborted()), problem('invalid_path'));
  });

  it('accepts a handwritten reply', async () => {
    const stub = stubWith('{"reply": {"status": 404, "headers": {"X-A": "b"}, "json": {"error": "no"}}}');
    const { status, headers, body } = await stub.send(get('/x'), neverAborted());
    const expected = { 'content-type': 'application/json', 'x-a': 'b' };
    assert.deepEqual([status, headers, body.toString()], [404, expected, '{"error":"no"}']);
  });

  for (const text of [
    '',
    '{}',
    '{"reply": 1}',
    '{"reply": {"status": "200"}}',
    '{"reply": {"status": 99}}',
    'null',
  ])
    it(`refuses a recording that contains ${text === '' ? 'nothing' : text}`, async () => {
      const call = stubWith(text).send(get('/x'), neverAborted());
      await assert.rejects(call, problem('stub_missing', /cannot be used/));
    });

  it('accepts a recording whose headers are no object', async () => {
    const stub = stubWith('{"reply":{"status":200,"headers":7}}');
    assert.equal((await stub.send(get('/x'), neverAborted())).status, 200);
  });

  it('keeps one file with mode 0600 for each request', async () => {
    const recordingFolder = folder();
    await record(await reply('{"a":1}'), recordingFolder);
    const first = readdirSync(recordingFolder, { recursive: true });
    assert.equal(first.length, 2, String(first));
    const file = first.map(String).find((name) => name.endsWith('.json')) ?? '';
    assert.match(file, /^127\.0\.0\.1_\d+.GET_api_data_[0-9a-f]{12}\.json$/);
    assert.equal(statSync(join(recordingFolder, file)).mode & 0o777, 0o600);
  });

  it('records nothing unless recording is enabled', async () => {
    const recordingFolder = folder();
    await record(await reply('{}'), recordingFolder, { record: false });
    assert.ok(!existsSync(recordingFolder));
  });

  it('skips binary replies, and fails no call if a reply cannot be recorded', async () => {
    const recordingFolder = folder();
    const binary = await record(await reply(Buffer.from([0xff, 0xfe]), ''), recordingFolder);
    assert.deepEqual(messagesOf(binary.lines), ['reply not recorded: it is not text']);
    assert.ok(!existsSync(recordingFolder));
    writeFileSync(recordingFolder, 'a file in the place of the folder');
    const { real, lines } = await record(await reply('{}'), recordingFolder);
    assert.equal(real.status, 200);
    assert.deepEqual(messagesOf(lines), ['reply not recorded']);
  });

  it('records no credentials, no cookies and no values with secret names', async () => {
    const recordingFolder = folder();
    const body = JSON.stringify({ echo: 'key k3y-of-ada', nested: { apiKey: 'p"w\\1', name: 'r1' } });
    const head = 'set-cookie: SID=cook13\r\nx-auth-token: h34der\r\nlocation: /x?access_token=loc4tion\r\n';
    const auth = { type: 'header', name: 'X-API-Key', value: 'k3y-of-ada' };
    await record(await reply(body, head), recordingFolder, { auth, path: '/data?x=1&api-key=hunter2' });
    const kept = contentOf(recordingFolder);
    for (const secret of ['k3y-of-ada', 'p\\"w', 'w\\\\1', 'cook13', 'h34der', 'loc4tion', 'hunter2'])
      assert.ok(!kept.includes(secret), secret);
    for (const plain of ['r1', '[redacted]', 'data?x=1&api-key=[redacted]"'])
      assert.ok(kept.includes(plain), plain);
    assert.doesNotMatch(kept, /accept|a\/b/, 'a header of the request was kept');
  });

  it('scans texts that provoke slow matching within the time limit of the test', () => {
    for (const text of [
      `"${'token'.repeat(200_000)}`,
      `<${'secret'.repeat(200_000)}`,
      '"token":'.repeat(100_000),
      '<token '.repeat(100_000),
      '<token><![CDATA['.repeat(100_000),
      'token = "'.repeat(100_000),
      'token '.repeat(100_000),
      `${'['.repeat(200_000)}"token`,
    ])
      assert.equal(typeof scrubBody(text, String), 'string');
    assert.equal(typeof scrubPath(`?${'token'.repeat(200_000)}`, String), 'string');
  });

  it('never writes outside its folder, for any path', () => {
    const base = parseBaseUrl('http://[::1]:8/b');
    for (const path of ['/../../x', '/..%2f..%2f', '/a/./b', `/${'x'.repeat(9_000)}`, '/\u0000', '/a:b\\c'])
      assert.match(recordingFile('/r', base, get(path)), /^\/r\/___1__8\/GET_[A-Za-z0-9_-]{1,80}\.json$/);
  });

  it('reads header names in lower case', () => {
    const { headers } = parseRecording('{"reply":{"status":200,"headers":{"ETag":"x"},"body":"ä"}}');
    assert.deepEqual(headers, { etag: 'x' });
  });
});
