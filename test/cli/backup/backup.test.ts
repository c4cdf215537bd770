import assert from 'node:assert/strict';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createSigningKey } from '../../../src/auth/key-file.js';
import { type OpenFile, writeArchive } from '../../../src/cli/backup/archive.js';
import { dumpAdvice } from '../../../src/cli/backup/postgres-advice.js';
import { openAuditTrail } from '../../../src/features/audit/trail/open-audit-trail.js';
import { openStore } from '../../../src/features/open-store.js';
import { lockFile } from '../../../src/storage/file-lock.js';
import { auditRecord } from '../../support/audit-record.js';
import { type CommandResult, runCommand } from '../../support/command-io.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const NEVER = new Promise<void>(() => undefined);
const command = (...args: readonly string[]): Promise<CommandResult> => runCommand(args, { stopped: NEVER });

/** Main file of a server, with files in its folder and one outside. */
const MAIN = `server: { listen: "127.0.0.1:0" }
storage: { url: "sqlite:data/gatehouse.db" }
audit: { file: data/audit.log }
auth: { local: { keyFile: data/local-issuer.pem } }
log: { file: data/gatehouse.log }
`;

/** Content of the audit trail file before the current one. */
const OLDER = 'moved away\n';

/** Writes a server with three audit records and a registered form; returns the path of its configuration. */
async function writeServer(folder: string, adapter = ''): Promise<string> {
  mkdirSync(join(folder, 'adapters'), { recursive: true });
  const config = join(folder, 'gatehouse.yaml');
  writeFileSync(config, MAIN);
  writeFileSync(join(folder, 'ca.pem'), 'not read\n');
  writeFileSync(
    join(folder, 'adapters', 'core1.yaml'),
    `plugin: restconf\nbaseUrl: https://nso.example\n${adapter}`,
  );
  const data = join(folder, 'data');
  const store = await openStore(`sqlite:${join(data, 'gatehouse.db')}`);
  await store.close();
  await createSigningKey(join(data, 'local-issuer.pem'));
  const settings = { file: join(data, 'audit.log'), durability: 'written' } as const;
  const trail = await openAuditTrail(settings, {});
  for (const requestId of ['one', 'two', 'three']) await trail.append(auditRecord(requestId));
  await trail.close();
  writeFileSync(join(data, 'audit.log-old.gz'), OLDER, { mode: 0o640 });
  writeFileSync(join(data, 'gatehouse.log'), '{}\n');
  return config;
}

/** Returns the files below a folder with their modes, but no locks. */
function treeOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.lock'))
    .map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return `${(statSync(path).mode & 0o777).toString(8)} ${path.slice(folder.length + 1)}`;
    })
    .sort();
}

describe('gatehouse backup and restore', () => {
  let folder: string;
  let config: string;
  let archive: string;
  before(async () => {
    folder = temporaryFolder().path;
    config = await writeServer(join(folder, 'first'), 'tls: { caFile: ../ca.pem }\n');
    const previous = join(folder, 'first/data/local-issuer.pem.previous');
    writeFileSync(previous, readFileSync(join(folder, 'first/data/local-issuer.pem')), { mode: 0o600 });
    utimesSync(previous, 1_700_000_000, 1_700_000_000);
    archive = join(folder, 'backup.tar');
    const { code, out, err } = await command('backup', archive, '--config', config);
    assert.equal(code, 0, err);
    assert.match(out, /^.*backup\.tar: 9 files\nlast audit record: 3:[0-9a-f]{64}\n$/);
  });

  /** Restores the archive, or another one, and returns the folder and the result. */
  let count = 0;
  async function restore(from = archive, ...more: readonly string[]) {
    const target = join(folder, `restored-${(count += 1)}`);
    const result = await command('restore', from, '--config', join(target, 'gatehouse.yaml'), ...more);
    return { target, ...result };
  }

  it('restores configuration, database, audit trail and keys in an empty folder, with their modes and times', async () => {
    assert.equal(statSync(archive).mode & 0o777, 0o600);
    const { target, code, out, err } = await restore();
    assert.equal(code, 0, err);
    assert.match(out, /restored; audit trail intact: 3 records\n$/);
    assert.deepEqual(treeOf(target), [
      ...['600 data/audit.log', '600 data/audit.log.key', '600 data/gatehouse.db'],
      ...['600 data/local-issuer.pem', '600 data/local-issuer.pem.previous', '640 data/audit.log-old.gz'],
      ...['644 adapters/core1.yaml', '644 ca.pem', '644 gatehouse.yaml'],
    ]);
    // Its time is that of the rotation, from which its tokens are valid for a day.
    assert.equal(statSync(join(target, 'data/local-issuer.pem.previous')).mtimeMs, 1_700_000_000_000);
    assert.equal(readFileSync(join(target, 'data/audit.log-old.gz'), 'utf8'), OLDER);
  });

  /** Backs up another server, to which the test adds something. */
  async function backUp(name: string, adapter: string, arrange: (folder: string, main: string) => void) {
    const place = join(folder, name);
    const main = await writeServer(place, adapter);
    arrange(place, main);
    const path = join(folder, `${name}.tar`);
    const made = await command('backup', path, '--config', main);
    assert.equal(made.code, 0, made.err);
    return { path, err: made.err };
  }

  it('names what is not in the backup: files outside of the folder of the configuration', async () => {
    const { err } = await backUp('outside', 'tls: { caFile: ../../outside.pem }\n', () => {
      writeFileSync(join(folder, 'outside.pem'), 'not read\n');
    });
    assert.match(err, /not in the backup: .*\/outside\.pem; copy it yourself/);
  });

  it('backs up also the files of folders that the configuration names', async () => {
    const settings = 'stub: true\nrecordings: ../recordings\n';
    const { path } = await backUp('with-folder', settings, (place) => {
      mkdirSync(join(place, 'recordings/host'), { recursive: true });
      writeFileSync(join(place, 'recordings/host/GET.json'), '{}');
    });
    const { target } = await restore(path);
    assert.equal(readFileSync(join(target, 'recordings/host/GET.json'), 'utf8'), '{}');
  });

  it('says that secrets in files are in the backup in plain text', async () => {
    const { path, err } = await backUp('with-secrets', '', (place, main) => {
      appendFileSync(main, 'secrets: { files: { root: secrets } }\n');
      mkdirSync(join(place, 'secrets'));
      writeFileSync(join(place, 'secrets/core1'), 'c4n4ry', { mode: 0o600 });
    });
    assert.match(err, /^the backup contains 1 file of secrets\.files\.root in plain text; /m);
    const { target } = await restore(path);
    assert.equal(readFileSync(join(target, 'secrets/core1'), 'utf8'), 'c4n4ry');
  });

  it('replaces neither a backup nor data without --force, and both with it', async () => {
    const again = await command('backup', archive, '--config', config);
    assert.match(`${again.code} ${again.err}`, /^1 .*backup\.tar exists\. Name another file/s);
    const { target } = await restore();
    const place = ['--config', join(target, 'gatehouse.yaml')] as const;
    const refused = await command('restore', archive, ...place);
    assert.match(
      `${refused.code} ${refused.err}`,
      /^1 .*gatehouse\.db exists\. Restore into an empty folder/s,
    );
    const database = join(target, 'data/gatehouse.db');
    writeFileSync(database, 'overwritten by a mistake');
    writeFileSync(`${database}-wal`, 'of the former database', { mode: 0o600 });
    appendFileSync(join(target, 'gatehouse.yaml'), '# changed\n');
    const forced = await command('restore', archive, '--force', ...place);
    assert.equal(forced.code, 0, forced.err);
    assert.match(forced.err, /gatehouse\.yaml was there, and stays as it is/);
    assert.match(readFileSync(join(target, 'gatehouse.yaml'), 'utf8'), /# changed\n$/);
    assert.ok(!existsSync(`${database}-wal`));
    const store = await openStore(`sqlite:${database}`);
    await store.close();
    const replaced = await command('backup', archive, '--force', '--config', config);
    assert.equal(replaced.code, 0, replaced.err);
  });

  it('refuses to mix two audit trails, also with --force', async () => {
    const { target } = await restore();
    writeFileSync(join(target, 'data/audit.log.7'), '{}\n', { mode: 0o600 });
    const place = join(target, 'gatehouse.yaml');
    const { code, err } = await command('restore', archive, '--force', '--config', place);
    assert.match(`${code} ${err}`, /^1 .*audit\.log\.7 is not in the backup.*Move it away first/s);
  });

  it('refuses while a server uses the data', async () => {
    const { target } = await restore();
    const lock = lockFile(join(target, 'data/gatehouse.db'), '/etc/gatehouse/gatehouse.yaml');
    const place = join(target, 'gatehouse.yaml');
    const { code, err } = await command('restore', archive, '--force', '--config', place);
    lock.close();
    assert.match(`${code} ${err}`, /^1 .*in use by process \d+.* Stop the server before the restore\./s);
  });

  function changedCopy(change: (bytes: Buffer) => void): string {
    const bytes = readFileSync(archive);
    change(bytes);
    const path = join(folder, `changed-${(count += 1)}.tar`);
    writeFileSync(path, bytes);
    return path;
  }

  const damages: readonly (readonly [string, () => string, RegExp])[] = [
    [
      'one changed byte of the audit trail',
      () => changedCopy((bytes) => bytes.write('X', bytes.indexOf('"requestId":"two"') + 13)),
      /The backup is damaged: data\/audit\.log has other content/,
    ],
    [
      'a part that is missing',
      () => {
        const path = changedCopy(() => undefined);
        truncateSync(path, statSync(path).size - 200_000);
        return path;
      },
      /truncated/,
    ],
    [
      'a file outside of its folders',
      () => changedCopy((bytes) => bytes.write('config/../x.pem"', bytes.indexOf('config/ca.pem"'))),
      /is not a backup of gatehouse/,
    ],
    ['another file', () => changedCopy((bytes) => bytes.fill(65)), /is not a backup of gatehouse/],
    [
      'a newer format',
      () => changedCopy((bytes) => bytes.write('"version": 9', bytes.indexOf('"version": 1'))),
      /whose backups this version cannot read/,
    ],
  ];
  for (const [title, path, message] of damages)
    it(`refuses ${title}, and leaves nothing behind`, async () => {
      const { target, code, err } = await restore(path());
      assert.match(`${code} ${err}`, message);
      assert.equal(code, 1);
      assert.deepEqual(existsSync(target) ? treeOf(target) : [], []);
    });

  it('ends at a signal, and leaves nothing behind', async () => {
    const path = join(folder, 'stopped.tar');
    const { code, err } = await runCommand(['backup', path, '--config', config]);
    assert.match(`${code} ${err}`, /^1 .*ended by SIGTERM; nothing was left behind/s);
    assert.ok(!readdirSync(folder).some((name) => name.includes('stopped')));
  });

  it('fails if a file changes between its checksum and its copy (bug: the whole backup was damaged)', async () => {
    const path = join(folder, 'changed.tar');
    let reads = 0;
    const read = (buffer: Buffer) =>
      Promise.resolve({ bytesRead: buffer.length, buffer: buffer.fill((reads += 1)) });
    const handle = { read } as unknown as OpenFile['handle'];
    const file = { name: 'config/a', handle, size: 9, mode: 0o600, modifiedAt: new Date(0) };
    const manifest = { format: 'gatehouse backup', version: 1, gatehouse: '1', createdAt: '' } as const;
    const input = { ...manifest, main: 'config/a', database: 'memory', files: [file] } as const;
    const terms = { force: false, signal: new AbortController().signal };
    await assert.rejects(writeArchive(path, input, terms), /changed while it was copied/);
    assert.ok(!readdirSync(folder).some((name) => name.includes('changed.tar')));
  });

  it('names the command for a PostgreSQL database, without its password', async () => {
    const url = 'postgres://gatehouse:pw-of-the-database@db1,db2:5432/gatehouse?sslmode=require';
    const made = await backUp('postgres', '', (_place, main) => {
      writeFileSync(main, MAIN.replace('sqlite:data/gatehouse.db', url));
    });
    const { code, err } = await restore(made.path);
    assert.equal(code, 0, err);
    const target = "'postgres://gatehouse@db1,db2:5432/gatehouse?sslmode=require'";
    assert.ok(made.err.includes(`pg_dump --format=custom --no-owner --file=gatehouse.dump ${target}\n`));
    assert.ok(err.includes(`--dbname=${target} gatehouse.dump\n`), err);
    assert.doesNotMatch(made.err + err, /pw-of-the-database/);
    for (const more of [
      'gatehouse:pw-1@x-of-it@db1/gatehouse',
      'gatehouse@db1/gatehouse?sslpassword=x-of-it',
    ]) {
      const advice = dumpAdvice(`postgres://${more}`);
      assert.ok(advice.includes("'postgres://gatehouse@db1/gatehouse'"), advice);
    }
  });

  it('says what is missing: the file of the command, the database, a valid configuration', async () => {
    const cases: readonly (readonly [readonly string[], RegExp])[] = [
      [['backup'], /^64 .*name one file for the backup/s],
      [['restore', archive, archive], /^64 /],
      [['restore', join(folder, 'none.tar'), '--config', config], /^1 .*none\.tar does not exist/s],
      [['backup', join(folder, 'no/b.tar'), '--config', config], /^1 .*\/no does not exist/s],
      [['backup', join(folder, 'b.tar'), '--config', join(folder, 'none.yaml')], /^78 /],
    ];
    for (const [args, message] of cases) {
      const { code, err } = await command(...args);
      assert.match(`${code} ${err}`, message);
    }
    const other = await writeServer(join(folder, 'new'));
    writeFileSync(other, MAIN.replace('gatehouse.db', 'other.db'));
    const { code, err } = await command('backup', join(folder, 'b.tar'), '--config', other);
    assert.match(`${code} ${err}`, /^1 .*other\.db does not exist\. Start the server, which creates it/s);
  });
});
