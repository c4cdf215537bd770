import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { parse } from 'yaml';
import { callUrl } from '../support/call.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

describe('a corrupt configuration file', () => {
  let testServer: TestServer;
  let written: Buffer;
  let adapterFile: string;
  let token: string;
  /** The adapter that was live after the previous reload. */
  let previous: unknown;
  before(async () => {
    const folder = temporaryFolder().path;
    testServer = await startTestServer({ folder });
    adapterFile = join(folder, 'adapters', 'core1.yaml');
    written = readFileSync(adapterFile);
    token = testServer.issueToken('admin');
    previous = await liveSettings();
  });
  after(() => testServer.close());

  /** Returns the live settings of the adapter. */
  const liveSettings = async (): Promise<unknown> => {
    const { json } = await callUrl(`${testServer.url}/adapters/core1/export`, { method: 'GET', token });
    return withoutPassword((json as { properties?: { properties?: unknown } }).properties?.properties);
  };

  /** Returns the settings that a file of these bytes describes; undefined if the file is invalid. */
  const settingsIn = (bytes: Buffer): unknown => {
    try {
      const { plugin, ...rest } = parse(bytes.toString()) as Record<string, unknown>;
      return plugin === 'restconf' ? withoutPassword(rest) : undefined;
    } catch {
      return undefined;
    }
  };

  /** Writes the file and reloads. The live settings afterwards must equal the previous ones or the file. */
  const apply = async (bytes: Buffer): Promise<void> => {
    writeFileSync(adapterFile, bytes);
    const faults = await testServer.running.reload();
    const now = await liveSettings();
    const isAsBefore = isDeepStrictEqual(now, previous);
    previous = now;
    if (faults.length > 0) assert.ok(isAsBefore, bytes.toString());
    else assert.ok(isAsBefore || isDeepStrictEqual(now, settingsIn(bytes)), bytes.toString());
  };

  it('truncated at every fourth byte is applied completely or not at all', async function () {
    this.timeout(120_000);
    for (let length = written.length - 1; length >= 0; length -= 4) await apply(written.subarray(0, length));
    await apply(written);
    assert.deepEqual(await liveSettings(), settingsIn(written));
  });

  it('with any flipped bits is applied completely or not at all', async function () {
    this.timeout(120_000);
    const bits = fc.array(fc.nat(8 * written.length - 1), { minLength: 1, maxLength: 3 });
    const flip = async (places: readonly number[]): Promise<void> => {
      const bytes = Buffer.from(written);
      for (const place of places) bytes[place >> 3] = (bytes[place >> 3] ?? 0) ^ (1 << (place & 7));
      await apply(bytes);
    };
    await fc.assert(fc.asyncProperty(bits, flip), { numRuns: 30, endOnFailure: true });
    await apply(written);
    assert.deepEqual(await liveSettings(), settingsIn(written));
  });
});

/** Removes the password, which replies mask if it is not a reference. */
function withoutPassword(adapter: unknown): unknown {
  const { auth } = (adapter ?? {}) as { readonly auth?: { readonly password?: unknown } };
  if (typeof auth?.password !== 'string' || auth.password.startsWith('$VAULT_')) return adapter;
  return { ...(adapter as object), auth: { ...auth, password: '' } };
}
