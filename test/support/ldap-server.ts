import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endProcess } from './end-process.js';
import { freePort } from './free-port.js';
import { accepts } from './loopback.js';
import { until } from './until.js';

/** A directory server (OpenLDAP) with users below `ou=people`. */
interface LdapServer {
  /** `ldap://127.0.0.1:PORT`. */
  readonly url: string;
  close(): Promise<void>;
}

interface LdapDirectory {
  /** Distinguished name of the directory, for example `dc=example`. */
  readonly suffix: string;
  /** Passwords by user id. */
  readonly users: Readonly<Record<string, string>>;
}

const PROGRAM = '/usr/sbin/slapd';
const SCHEMAS = '/etc/ldap/schema';

/** Starts a directory server on a free port of 127.0.0.1. */
export async function startLdapServer({ suffix, users }: LdapDirectory): Promise<LdapServer> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-ldap-'));
  const config = join(folder, 'slapd.conf');
  mkdirSync(join(folder, 'data'));
  writeFileSync(
    config,
    `${['core', 'cosine', 'inetorgperson'].map((name) => `include ${SCHEMAS}/${name}.schema\n`).join('')}
modulepath /usr/lib/ldap
moduleload back_mdb
database mdb
suffix "${suffix}"
directory ${join(folder, 'data')}
`,
  );
  const entries = join(folder, 'entries.ldif');
  writeFileSync(entries, entriesOf(suffix, users));
  const added = spawnSync('/usr/sbin/slapadd', ['-f', config, '-l', entries], { encoding: 'utf8' });
  if (added.status !== 0) throw new Error(`slapadd failed: ${added.stderr}`);
  const port = await freePort();
  const url = `ldap://127.0.0.1:${port}`;
  // With a debug level the program stays in the foreground.
  const server = spawn(PROGRAM, ['-f', config, '-h', url, '-d', '0'], { stdio: 'ignore' });
  // It does not announce that it listens.
  await until(() => accepts(port));
  return {
    url,
    async close() {
      await endProcess(server, 'SIGINT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function entriesOf(suffix: string, users: LdapDirectory['users']): string {
  const [, name = ''] = /^dc=(\w+)/.exec(suffix) ?? [];
  const people = Object.entries(users).map(
    ([uid, password]) => `dn: uid=${uid},ou=people,${suffix}
objectClass: inetOrgPerson
cn: ${uid}
sn: ${uid}
uid: ${uid}
userPassword:: ${Buffer.from(password).toString('base64')}
`,
  );
  return [
    `dn: ${suffix}\nobjectClass: dcObject\nobjectClass: organization\no: ${name}\ndc: ${name}\n`,
    `dn: ou=people,${suffix}\nobjectClass: organizationalUnit\nou: people\n`,
    ...people,
  ].join('\n');
}
