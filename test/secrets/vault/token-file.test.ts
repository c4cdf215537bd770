import assert from 'node:assert/strict';
import { rename, rm, writeFile } from 'node:fs/promises';
import { writeInput } from '../../support/input-file.js';
import { until } from '../../support/until.js';
import { createTokenBench, type TokenBench } from './token-bench.js';

const POLL_MS = 1000;

describe('the token file', () => {
  let bench: TokenBench;
  let file: string;
  let first: string;
  beforeEach(async () => {
    bench = await createTokenBench();
    first = bench.vault.createToken({ policies: ['edge'], ttl: 60 });
    file = await bench.write('token', `${first}\n`);
  });
  afterEach(() => bench.close());
  const auth = () => ({ method: 'token_file', file, namespace: null }) as const;
  /** Advances the clock to the next check of the file, and waits for the check. */
  const passPoll = async (): Promise<void> => {
    await bench.time.pass(POLL_MS);
    await until(() => bench.time.next() === POLL_MS);
  };
  const another = (): string => bench.vault.createToken({ policies: ['edge'], ttl: 60 });

  it('A-06 and A-17 is read again within a second of a change, and its token is never looked up, renewed or revoked', async () => {
    const client = await bench.open(auth());
    let newTokens = 0;
    client.tokens.onNewToken(() => (newTokens += 1));
    assert.equal((await client.tokens.current()).reveal(), first);
    const second = another();
    await rename(await bench.write('token.new', second), file);
    await passPoll();
    await until(() => newTokens === 1);
    assert.equal((await client.tokens.current()).reveal(), second);
    const third = another();
    await writeFile(file, '');
    await passPoll();
    assert.equal((await client.tokens.current()).reveal(), second);
    writeInput(file, third);
    await passPoll();
    await until(() => newTokens === 2);
    assert.equal((await client.tokens.current()).reveal(), third);
    await bench.time.pass(600_000);
    await client.close();
    assert.deepEqual(bench.paths(), []);
  });

  it('A-17 may be missing temporarily', async () => {
    const { tokens } = await bench.open(auth());
    const token = await tokens.current();
    await rm(file);
    await passPoll();
    tokens.drop(token);
    assert.equal((await tokens.current()).reveal(), first);
  });

  it('A-17 unwraps a token when Vault answers again (bug: only after the former token had ended)', async () => {
    const { vault, time } = bench;
    const { tokens } = await bench.open(auth());
    await tokens.current();
    const wrapping = vault.wrap('sys/wrapping/wrap', { data: { token: another() } });
    vault.faults.next({ status: 503, times: 3 });
    writeInput(file, JSON.stringify({ wrap_info: { token: wrapping, ttl: 300 } }));
    await passPoll();
    assert.equal((await tokens.current()).reveal(), first);
    await until(async () => {
      await time.pass(POLL_MS);
      return (await tokens.current()).reveal() !== first;
    });
    assert.equal(bench.paths().filter((path) => path === 'sys/wrapping/unwrap').length, 1);
  });

  it('A-17 may contain a wrapped token, which is unwrapped once', async () => {
    const { vault } = bench;
    for (const content of [
      (token: string) => JSON.stringify({ wrap_info: { token, ttl: 300 } }),
      (token: string) => JSON.stringify({ token, ttl: 300, creation_path: 'sys/wrapping/wrap' }),
    ]) {
      bench.sent.length = 0;
      writeInput(file, content(vault.wrap('sys/wrapping/wrap', { data: { token: first } })));
      const { tokens } = await bench.open(auth());
      const token = await tokens.current();
      assert.equal(token.reveal(), first);
      tokens.drop(token);
      assert.equal((await tokens.current()).reveal(), first);
      assert.deepEqual(bench.paths(), ['sys/wrapping/lookup', 'sys/wrapping/unwrap']);
    }
  });
});
