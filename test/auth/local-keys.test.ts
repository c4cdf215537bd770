import assert from 'node:assert/strict';
import { chownSync, readFileSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { accountsOf } from '../../src/auth/accounts.js';
import { previousKeyFile, rotateSigningKey } from '../../src/auth/key-file.js';
import { type LocalIssuer, openLocalIssuer } from '../../src/auth/local-issuer.js';
import { createVerifier } from '../../src/auth/verifier.js';
import type { TokenVerifier } from '../../src/core/principal.js';
import { Secret } from '../../src/core/secret.js';
import { runCommand } from '../support/command-io.js';
import { createFakeScheduler } from '../support/fake-scheduler.js';
import { SUPERUSER } from '../support/need-list.js';
import { itWith } from '../support/needs.js';
import { cheapHash } from '../support/password-hash.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const DAY_MS = 86_400_000;
const USER = { username: 'ada', passwordHash: new Secret(cheapHash('p4ssw0rd')), roles: ['admin'] };
const ACCOUNTS = { enabled: true, users: [USER], clients: [] };

interface Node {
  readonly local: LocalIssuer;
  readonly verifier: TokenVerifier;
  /** The mark of the account ada in the tokens of logins at this node. */
  readonly account: string;
}

describe('a rotation of the key of the built-in issuer', () => {
  const clock = createFakeScheduler(Date.now());
  let keyFile: string;

  beforeEach(() => {
    keyFile = join(temporaryFolder().path, 'local-issuer.pem');
  });

  async function startNode(file = keyFile): Promise<Node> {
    const settings = { keyFile: file, clock, tokenTtlSeconds: 86_400, createKey: true };
    const local = await openLocalIssuer(settings);
    const verifier = createVerifier({ issuers: [local.issuerFor(ACCOUNTS)], clock });
    const account = accountsOf(ACCOUNTS, local.markKey).get('ada')?.account.mark ?? '';
    return { local, verifier, account };
  }

  const rotate = () => rotateSigningKey(keyFile, new Date(clock.now()));
  const tokenOf = ({ local, account }: Node): string =>
    local.issueToken({ subject: 'ada', roles: ['admin'], account });
  const isAccepted = async ({ verifier }: Node, token: string): Promise<boolean> => {
    try {
      return (await verifier.verify(token)).subject === 'ada';
    } catch {
      return false;
    }
  };

  it('keeps both keys in private files, and the file always holds a key', async () => {
    await startNode();
    const former = readFileSync(keyFile, 'utf8');
    await rotate();
    assert.equal(readFileSync(previousKeyFile(keyFile), 'utf8'), former);
    assert.notEqual(readFileSync(keyFile, 'utf8'), former);
    for (const file of [keyFile, previousKeyFile(keyFile)]) assert.equal(statSync(file).mode & 0o777, 0o600);
  });

  itWith(SUPERUSER, 'leaves the key to its owner when root runs the command', async () => {
    await startNode();
    chownSync(keyFile, 12_345, 12_346);
    await rotate();
    for (const file of [keyFile, previousKeyFile(keyFile)]) {
      const { uid, gid } = statSync(file);
      assert.deepEqual([uid, gid], [12_345, 12_346]);
    }
  });

  it('accepts logins at a restarted node after a refused reload (bug: their accounts were those of the refused settings)', async () => {
    const running = await startNode();
    running.local.issuerFor({ ...ACCOUNTS, users: [] });
    await rotate();
    const restarted = await startNode();
    assert.ok(await isAccepted(running, tokenOf(restarted)));
  });

  it('lets the former key verify for a day after the restart, and no longer', async () => {
    const before = tokenOf(await startNode());
    await rotate();
    const restarted = await startNode();
    assert.ok(await isAccepted(restarted, before));
    assert.ok(await isAccepted(restarted, tokenOf(restarted)));
    await clock.pass(DAY_MS - 60_000);
    assert.ok(await isAccepted(restarted, before));
    await clock.pass(120_000);
    assert.ok(!(await isAccepted(restarted, before)));
    assert.ok(!(await isAccepted(await startNode(), before)));
  });

  it('makes a node that was not restarted accept tokens of the new key', async () => {
    const running = await startNode();
    await rotate();
    const restarted = await startNode();
    assert.ok(await isAccepted(running, tokenOf(restarted)));
    assert.ok(await isAccepted(restarted, tokenOf(running)));
  });

  it('does not let the former key verify after its file was deleted', async () => {
    const before = tokenOf(await startNode());
    await rotate();
    unlinkSync(previousKeyFile(keyFile));
    assert.ok(!(await isAccepted(await startNode(), before)));
  });

  it('reads the file at most once a second for unknown keys, and ignores a file without a key', async () => {
    const running = await startNode();
    const text = readFileSync(keyFile, 'utf8');
    writeFileSync(keyFile, 'no key');
    const foreign = tokenOf(await startNode(join(temporaryFolder().path, 'other.pem')));
    assert.ok(!(await isAccepted(running, foreign)));
    writeFileSync(keyFile, text);
    await rotate();
    const token = tokenOf(await startNode());
    assert.ok(!(await isAccepted(running, token)), 'read again within a second');
    await clock.pass(1_000);
    assert.ok(await isAccepted(running, token));
  });
});

describe('gatehouse rotate-key', () => {
  it('replaces the key, and refuses a second rotation within a day unless forced', async () => {
    const folder = temporaryFolder().path;
    const keyFile = join(folder, 'key.pem');
    const config = join(folder, 'gatehouse.yaml');
    writeFileSync(config, 'auth: { local: { keyFile: key.pem } }\n');
    const run = (...args: readonly string[]) => runCommand(['rotate-key', '--config', config, ...args]);
    const missing = await run();
    assert.equal(missing.code, 78);
    assert.match(missing.err, /local_key_missing/);
    await openLocalIssuer({ keyFile, clock: { now: Date.now }, tokenTtlSeconds: 60, createKey: true });
    const first = readFileSync(keyFile, 'utf8');
    const { code, out } = await run();
    assert.equal(code, 0);
    assert.match(
      out,
      /new key\. The former key is in .*key\.pem\.previous and verifies its tokens for a day/,
    );
    const again = await run();
    assert.equal(again.code, 64);
    assert.match(again.err, /valid until .*; --force ends them/);
    assert.equal(readFileSync(previousKeyFile(keyFile), 'utf8'), first);
    assert.equal((await run('--force')).code, 0);
    assert.notEqual(readFileSync(previousKeyFile(keyFile), 'utf8'), first);
  });
});
