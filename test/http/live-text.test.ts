import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { startHttpTestServer, type HttpTestServer } from '../support/http-server.js';
import { liveOperation } from '../support/live-operation.js';
import { until } from '../support/until.js';

describe('a live text reply', () => {
  let testServer: HttpTestServer;
  let pieces: () => AsyncGenerator<string>;
  const inFlight: number[] = [];

  before(async () => {
    const operations = liveOperation(() => pieces(), { 'x-accel-buffering': 'no' });
    const patience = { lingerMs: 50, lingerBytes: 1_000, stallMs: 50 };
    testServer = await startHttpTestServer({
      operations,
      deps: { stallLimits: patience },
      shed: ({ req, res }, calls, handler) => {
        inFlight.push(calls);
        handler(req, res);
      },
    });
  });
  after(() => testServer.close());

  async function ask(): Promise<IncomingMessage> {
    const request = get(`${testServer.url}/live`);
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    return answer;
  }

  it('sends each piece before the next piece exists', async () => {
    let go = (): void => undefined;
    const going = new Promise<void>((resolve) => (go = resolve));
    pieces = async function* () {
      yield 'first';
      await going;
      yield 'second';
    };
    const answer = await ask();
    assert.equal(answer.headers['content-type'], 'text/event-stream');
    assert.equal(answer.headers['x-accel-buffering'], 'no');
    const [first] = (await once(answer, 'data')) as [Buffer];
    assert.equal(first.toString(), 'first');
    go();
    assert.equal(await text(answer), 'second');
  });

  it('is not counted as in flight after its first piece', async () => {
    pieces = async function* () {
      yield 'first';
      await new Promise(() => undefined);
    };
    inFlight.length = 0;
    const answers = [await ask(), await ask()];
    assert.deepEqual(inFlight, [1, 1]);
    for (const answer of answers) answer.destroy();
  });

  it('is aborted if the caller does not read, even with small pieces', async () => {
    let isOver = false;
    let made = 0;
    pieces = async function* () {
      try {
        for (;;) {
          made += 1;
          yield await Promise.resolve('x'.repeat(10_000));
        }
      } finally {
        isOver = true;
      }
    };
    const answer = await ask();
    answer.on('error', () => undefined);
    await until(() => isOver);
    assert.ok(made < 5_000, `${made} pieces`);
    answer.destroy();
  });
});
