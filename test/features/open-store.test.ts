import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openStore } from '../../src/features/open-store.js';
import { auditRecord, seal } from '../support/audit-record.js';
import { form, formsOf, LIMITS } from '../support/form.js';
import { openDatabaseFile } from '../support/sqlite.js';
import { temporaryFolder } from '../support/temporary-folder.js';

describe('the store', () => {
  const folder = temporaryFolder();
  let count = 0;
  const newPath = (): string => join(folder.path, `store-${(count += 1)}`, 'gatehouse.db');

  it('creates all its files with access for the owner only', async () => {
    const path = newPath();
    const store = await openStore(`sqlite:${path}`);
    await store.audit.append([auditRecord('a')], seal);
    for (const file of [path, `${path}-wal`, `${path}-shm`])
      assert.equal(statSync(file).mode & 0o777, 0o600, file);
    assert.equal(statSync(join(path, '..')).mode & 0o777, 0o700);
    await store.close();
  });

  it('waits for the lock of another process without blocking the event loop', async () => {
    const path = newPath();
    const store = await openStore(`sqlite:${path}`);
    const other = openDatabaseFile(path);
    other.exec('begin immediate');
    const created = store.forms.create(form(1), LIMITS);
    for (let turn = 0; turn < 10; turn += 1) await setImmediate();
    other.exec('commit');
    assert.equal(await created, true);
    other.close();
    await store.close();
  });

  it('keeps all forms of an import or none if it is closed during the import', async () => {
    const url = `sqlite:${newPath()}`;
    const closing = await openStore(url);
    const forms = Array.from({ length: 500 }, (_, at) => form(at));
    const imported = closing.forms.import(forms, LIMITS);
    const refused = assert.rejects(imported, { code: 'store_unavailable' });
    await setImmediate();
    await closing.close();
    await refused;
    const store = await openStore(url);
    assert.deepEqual(await formsOf(store.forms), []);
    await store.close();
  });

  it('does not repeat a URL that may contain a password', async () => {
    const refused = /refuses connections on this port \(ECONNREFUSED\)\. Check storage\.url/;
    for (const [url, message] of [
      ['mysql://user:canary@127.0.0.1/x', /scheme "sqlite" or "postgres", not "mysql"/],
      ['postgres://user:canary@127.0.0.1:1/x', refused],
      ['/var/lib/gatehouse.db', /but has none/],
      ['sqlite:data/gatehouse.db', /absolute/],
      ['sqlite:', /absolute/],
    ] as const)
      await assert.rejects(openStore(url), (error: Error) => {
        assert.match(error.message, message);
        assert.doesNotMatch(error.message, /canary/);
        return true;
      });
  });

  it('recommends a correction if the path is not a database', async () => {
    const text = join(folder.path, 'notes.txt');
    writeFileSync(text, 'these are not the rows you are looking for\n'.repeat(100), { mode: 0o600 });
    await assert.rejects(openStore(`sqlite:${text}`), /SQLITE_NOTADB\).*move this file away/);
    assert.match(readFileSync(text, 'utf8'), /^these are not/);
    await assert.rejects(openStore(`sqlite:${folder.path}`), /The path is a folder/);
    await assert.rejects(openStore(`sqlite:${text}/gatehouse.db`), /A parent of the path is a file/);
  });

  it('finding F17: refuses a file that every user of the machine may access', async () => {
    const path = join(folder.path, 'open.db');
    writeFileSync(path, '');
    for (const mode of [0o604, 0o602]) {
      chmodSync(path, mode);
      await assert.rejects(openStore(`sqlite:${path}`), /SQLITE_FILE_MODE\).*Run: chmod o= on the file/);
    }
    chmodSync(path, 0o660);
    await (await openStore(`sqlite:${path}`)).close();
  });

  it('recommends a correction if the path is read-only (bug: another user cannot read a private checkout)', () => {
    const path = newPath();
    mkdirSync(join(path, '..'));
    writeFileSync(path, '');
    chmodSync(path, 0o444);
    const script = fileURLToPath(new URL('../storage/open-and-close.js', import.meta.url));
    const [program, ...args] = withoutRootRights([process.execPath, script, `sqlite:${path}`]);
    const { stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
    assert.match(stdout, /\(EACCES\)\. Allow the user/, stderr);
    chmodSync(path, 0o600);
    assert.equal(spawnSync(program, args, { encoding: 'utf8' }).stdout, 'opened');
  });

  it('refuses the database of a newer version', async () => {
    const path = newPath();
    await (await openStore(`sqlite:${path}`)).close();
    const database = openDatabaseFile(path);
    database.exec("insert into schema_versions values (99, 'from the future', '2030-01-01T00:00:00.000Z')");
    database.close();
    const newer = /schema version 99, written by a newer gatehouse.*restore a backup/;
    await assert.rejects(openStore(`sqlite:${path}`), newer);
  });
});

type Command = readonly [program: string, ...args: string[]];

/**
 * Returns a command that runs without the right of root to read and write every file; the command itself for an ordinary user.
 * The user stays the same, because another user might not be allowed to read this checkout.
 */
function withoutRootRights(command: Command): Command {
  if (process.geteuid?.() !== 0) return command;
  return ['setpriv', '--bounding-set=-dac_override,-dac_read_search', ...command];
}
