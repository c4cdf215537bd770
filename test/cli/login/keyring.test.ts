import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { expiryOf, openKeyring } from '../../../src/cli/login/keyring.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const ENTRY = { accessToken: 'a.b.c', expiresAt: 7 };
const [ONE, TWO] = ['https://one.example', 'https://two.example'];

describe('openKeyring', () => {
  const open = () => openKeyring({ XDG_CONFIG_HOME: temporaryFolder().path });

  it('uses XDG_CONFIG_HOME, and ~/.config without it or with a relative path', () => {
    assert.equal(openKeyring({ XDG_CONFIG_HOME: '/x', HOME: '/h' }).file, '/x/gatehouse/tokens.json');
    for (const value of [undefined, '', 'relative'])
      assert.equal(
        openKeyring({ XDG_CONFIG_HOME: value, HOME: '/h' }).file,
        '/h/.config/gatehouse/tokens.json',
      );
  });

  it('writes a file and a folder that only the user may read', async () => {
    const keyring = open();
    await keyring.keep(ONE, ENTRY, { isLogin: true });
    assert.equal(statSync(keyring.file).mode & 0o777, 0o600);
    assert.equal(statSync(dirname(keyring.file)).mode & 0o777, 0o700);
    assert.deepEqual(readdirSync(dirname(keyring.file)), ['tokens.json']);
  });

  it('finds the server of the latest login, and any server by its URL', async () => {
    const keyring = open();
    assert.equal(await keyring.find(), undefined);
    await keyring.keep(ONE, ENTRY, { isLogin: true });
    await keyring.keep(TWO, { ...ENTRY, expiresAt: 8 }, { isLogin: true });
    await keyring.keep(ONE, { ...ENTRY, expiresAt: 9 });
    assert.deepEqual(await keyring.find(), { url: TWO, entry: { ...ENTRY, expiresAt: 8 } });
    assert.equal((await keyring.find(ONE))?.entry.expiresAt, 9);
    await keyring.remove(TWO);
    assert.equal((await keyring.find())?.url, ONE);
    await keyring.remove(ONE);
    assert.equal(await keyring.find(), undefined);
  });

  it('refuses a file that other users may read, and says what to do', async () => {
    const keyring = open();
    await keyring.keep(ONE, ENTRY, { isLogin: true });
    chmodSync(keyring.file, 0o644);
    await assert.rejects(
      keyring.find(),
      new Error(`other users may read the tokens in ${keyring.file}. Run: chmod 600 ${keyring.file}`),
    );
  });

  it('changes no file that is not a keyring', async () => {
    const keyring = open();
    await keyring.keep(ONE, ENTRY, { isLogin: true });
    for (const text of ['{', '[]', '{"servers":[]}']) {
      writeFileSync(keyring.file, text);
      await assert.rejects(keyring.keep(TWO, ENTRY), /is not a keyring of gatehouse\. Remove the file/);
      assert.equal(readFileSync(keyring.file, 'utf8'), text);
    }
  });

  it('runs work under the lock one after the other', async () => {
    const keyring = open();
    const events: string[] = [];
    const work = (name: string) => async () => {
      events.push(`${name} begins`);
      await Promise.resolve();
      events.push(`${name} ends`);
    };
    await Promise.all([keyring.locked(work('one')), keyring.locked(work('two'))]);
    assert.deepEqual(
      events.map((event) => event.split(' ')[1]),
      ['begins', 'ends', 'begins', 'ends'],
    );
    await assert.rejects(
      keyring.locked(() => Promise.reject(new Error('failed'))),
      /failed/,
    );
    assert.ok(!existsSync(`${keyring.file}.lock`));
  });

  it('takes the lock of a process that has died', async () => {
    const keyring = open();
    await keyring.keep(ONE, ENTRY);
    writeFileSync(`${keyring.file}.lock`, '1');
    utimesSync(`${keyring.file}.lock`, 0, 0);
    assert.equal(await keyring.locked(() => Promise.resolve('done')), 'done');
    assert.ok(!existsSync(`${keyring.file}.lock`));
  });
});

describe('expiryOf', () => {
  it('returns the expiry of a JWT, and nothing for any other text', () => {
    const token = (claims: unknown): string =>
      `x.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.y`;
    assert.equal(expiryOf(token({ exp: 7 })), 7000);
    for (const text of ['', 'opaque', 'a.b.c', token({ exp: '7' }), token([])])
      assert.equal(expiryOf(text), undefined);
  });
});
