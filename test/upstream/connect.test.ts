import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Problem } from '../../src/core/problem.js';
import { createSecurity, dial } from '../../src/upstream/connect.js';
import { startHostileUpstream, type HostileUpstream } from '../support/hostile-upstream.js';

describe('dial', () => {
  let silent: HostileUpstream;
  before(async () => {
    silent = await startHostileUpstream([() => undefined]);
  });
  after(() => silent.close());

  const handshakeNever = () => ({
    address: '127.0.0.1',
    port: silent.port,
    secure: { name: 'nso.example', security: createSecurity() },
  });

  it('keeps its timeout during garbage collection', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const timer = setInterval(collect, 10);
    try {
      await assert.rejects(
        dial(handshakeNever(), { connectMs: 150, signal: new AbortController().signal }),
        (error) => error instanceof Problem && error.message === 'no connection to the target within 150 ms',
      );
    } finally {
      clearInterval(timer);
    }
  });

  it('rejects with the reason of the signal, and leaves no listener on it', async () => {
    const caller = new AbortController();
    const dialling = dial(handshakeNever(), { connectMs: 60_000, signal: caller.signal });
    caller.abort(new Error('enough'));
    await assert.rejects(dialling, /enough/);
    assert.equal(getEventListeners(caller.signal, 'abort').length, 0);
    await assert.rejects(dial(handshakeNever(), { connectMs: 60_000, signal: caller.signal }), /enough/);
  });
});

describe('createSecurity', () => {
  it('shares one TLS context between peers without TLS material', () => {
    assert.equal(createSecurity().context(), createSecurity({ insecure: true }).context());
  });

  it('rejects a certificate that is not PEM at once', () => {
    assert.throws(() => createSecurity({ cert: 'no certificate' }));
  });
});
