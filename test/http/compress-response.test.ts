import assert from 'node:assert/strict';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { compressResponse } from '../../src/http/compress-response.js';
import type { HttpResponse } from '../../src/http/response.js';
import { startChunks } from '../../src/http/stream.js';

const PRINCIPAL = { subject: 'ada', issuer: 'gatehouse', roles: ['admin'], expiresAt: 0 };
const TEXT = JSON.stringify(Array.from({ length: 200 }, (_, at) => ({ name: `eth${at}`, enabled: true })));

function contextOf(acceptEncoding?: string) {
  const headers = acceptEncoding === undefined ? {} : { 'accept-encoding': acceptEncoding };
  const req = new IncomingMessage(new Socket());
  Object.assign(req.headers, headers);
  return { req, principal: PRINCIPAL };
}

function responseOf(text = TEXT, more: Partial<HttpResponse> = {}): HttpResponse {
  const body = Buffer.from(text);
  return { status: 200, headers: { 'content-length': String(body.length) }, body, ...more };
}

describe('compressResponse', () => {
  it('compresses a large body, with its new length', async () => {
    const { headers, body } = await compressResponse(contextOf('deflate, gzip;q=0.8'), responseOf());
    assert.deepEqual(headers, {
      'content-length': String(body.length),
      'content-encoding': 'gzip',
      vary: 'Accept-Encoding',
    });
    assert.ok(body.length < TEXT.length / 4, `${body.length} of ${TEXT.length}`);
    assert.equal(gunzipSync(body).toString(), TEXT);
  });

  for (const header of [
    'gzip',
    'GZIP',
    'x-gzip',
    '*, br;q=0',
    'br;q=0.1, gzip;q=0.2',
    'identity;q=0.5, gzip;q=1.0',
  ])
    it(`accepts ${header}`, async () => {
      const { headers } = await compressResponse(contextOf(header), responseOf());
      assert.equal(headers['content-encoding'], 'gzip');
    });

  for (const header of [undefined, '', 'identity', 'gzip;q=0', '*;q=0', 'gzip;q=0, br;q=0, *', 'gzip;q=x'])
    it(`leaves the body for ${header ?? 'no header'}, and tells caches that the header counts`, async () => {
      const response = responseOf();
      const { headers, body } = await compressResponse(contextOf(header), response);
      assert.deepEqual([headers['content-encoding'], headers['vary']], [undefined, 'Accept-Encoding']);
      assert.equal(body, response.body);
    });

  for (const header of ['br', 'gzip, deflate, br', '*', 'gzip;q=0.5, br;q=0.6'])
    it(`compresses by Brotli for ${header}`, async () => {
      const { headers, body } = await compressResponse(contextOf(header), responseOf());
      assert.deepEqual([headers['content-encoding'], headers['content-length']], ['br', String(body.length)]);
      assert.equal(brotliDecompressSync(body).toString(), TEXT);
    });

  it('makes the entity tag of a compressed body weak, and keeps it without compression', async () => {
    const tagged = responseOf(TEXT, { headers: { etag: '"7"' } });
    assert.equal((await compressResponse(contextOf('gzip'), tagged)).headers['etag'], 'W/"7"');
    assert.equal((await compressResponse(contextOf(), tagged)).headers['etag'], '"7"');
    const weak = responseOf(TEXT, { headers: { etag: 'W/"7"' } });
    assert.equal((await compressResponse(contextOf('gzip'), weak)).headers['etag'], 'W/"7"');
  });

  it('leaves small bodies, errors, and replies to callers without a token', async () => {
    const cases: readonly (readonly [Parameters<typeof compressResponse>[0], HttpResponse])[] = [
      [contextOf('gzip'), responseOf('{}')],
      [contextOf('gzip'), responseOf(TEXT, { status: 502 })],
      [{ req: contextOf('gzip').req }, responseOf()],
    ];
    for (const [context, response] of cases)
      assert.equal(await compressResponse(context, response), response);
  });

  it('compresses a document in chunks, but no live text', async () => {
    const pieces = async function* () {
      for (let at = 0; at < TEXT.length; at += 1000) yield await Promise.resolve(TEXT.slice(at, at + 1000));
    };
    const chunked = (batchLength: number) =>
      responseOf('', { headers: {}, chunks: { source: pieces(), batchLength } });
    const { headers, chunks } = await compressResponse(contextOf('gzip'), chunked(65_536));
    assert.equal(headers['content-encoding'], 'gzip');
    const parts: Buffer[] = [];
    for await (const part of chunks!.source) parts.push(Buffer.from(part));
    assert.equal(gunzipSync(Buffer.concat(parts)).toString(), TEXT);
    const live = chunked(0);
    assert.equal(await compressResponse(contextOf('gzip'), live), live);
  });

  it('fails with the source before the first chunk, and ends the source when the reader leaves', async () => {
    let ended = 0;
    const failing = async function* () {
      await Promise.resolve();
      yield* [] as string[];
      throw new Error('no database');
    };
    const endless = async function* () {
      try {
        for (;;) yield await Promise.resolve(TEXT);
      } finally {
        ended += 1;
      }
    };
    const compress = async (source: AsyncIterable<string>) => {
      const response = responseOf('', { headers: {}, chunks: { source, batchLength: 65_536 } });
      return (await compressResponse(contextOf('gzip'), response)).chunks!;
    };
    await assert.rejects(startChunks(await compress(failing())), /no database/);
    const { rest } = await startChunks(await compress(endless()));
    await rest.return?.();
    // The generator ends in a later turn of the event loop.
    while (ended === 0) await new Promise(setImmediate);
    assert.equal(ended, 1);
  });
});
