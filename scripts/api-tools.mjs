// Installs the programs of others that test the API description and the schemas of YANG modules, each at an exact version:
// `npm run api-tools`, or `npm run api-tools -- SET...` for some of the sets. Their tests (test/clients) find them in this
// folder, and are skipped without them.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NPM_PACKAGES = [
  '@redocly/cli@2.77.0',
  '@stoplight/spectral-cli@6.16.3',
  'openapi-fetch@0.17.0',
  'openapi-typescript@7.13.0',
];
const PYTHON_PACKAGES = [
  'schemathesis==4.32.5',
  'openapi-python-client==0.29.1',
  // The generated client imports it.
  'python-dateutil==2.9.0.post0',
];
/** Form libraries that show the schemas of YANG modules. Two versions of one package cannot share a folder. */
const FORM_LIBRARIES = {
  'rjsf-5': [...rjsfPackages('5.24.13'), ...reactPackages('18.3.1')],
  'rjsf-6': [...rjsfPackages('6.11.1'), ...reactPackages('18.3.1')],
  'json-forms': [
    ...['core', 'react', 'material-renderers', 'vanilla-renderers'].map((name) => `@jsonforms/${name}@3.8.0`),
    ...reactPackages('18.3.1'),
  ],
};
/** The last version that runs on Node.js 20, of which only the command line is used. */
const MCP_INSPECTOR = ['@modelcontextprotocol/inspector@1.0.3'];
/** Checks the workflows of GitHub Actions. */
const ACTIONLINT = 'github.com/rhysd/actionlint/cmd/actionlint@v1.7.12';
/** Clients of the platform. itential-mcp brings the Python SDK of MCP. */
const PLATFORM_CLIENTS = ['ipsdk==0.9.0', 'itential-mcp==0.14.1'];
/** The command line of the platform, at a commit of 2026-07-16. `IPCTL_SOURCE` names a checkout, for a machine whose Go proxy lacks it. */
const IPCTL = 'github.com/itential/ipctl/cmd/ipctl@ddcdd39089266fc1d3c3a127633b11cbc2375491';
const GO_PROGRAM = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';

const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
const folder = join(cache, 'gatehouse-ci', 'api-tools');
const goModule = fileURLToPath(new URL('../test/clients/programs/go', import.meta.url));

/** Versions of the packages that the Python packages need. With others, schemathesis generates other data. */
const constraints = constraintsOf('constraints.txt');
const clientConstraints = constraintsOf('platform-constraints.txt');

/** Each set installs by itself, because a machine may have Node.js, but neither Python nor Go. */
const SETS = [
  {
    name: 'npm',
    program: 'node_modules/.bin/redocly',
    versions: NPM_PACKAGES,
    commands: (at) => [npmInstall(at, NPM_PACKAGES)],
  },
  {
    name: 'python',
    program: 'bin/python',
    versions: [...PYTHON_PACKAGES, readFileSync(constraints, 'utf8')],
    commands: (at) => pipInstall(at, constraints, PYTHON_PACKAGES),
  },
  {
    name: 'platform-clients',
    program: 'bin/itential-mcp',
    versions: [...PLATFORM_CLIENTS, readFileSync(clientConstraints, 'utf8')],
    commands: (at) => pipInstall(at, clientConstraints, PLATFORM_CLIENTS),
  },
  {
    name: 'ipctl',
    program: 'ipctl',
    versions: [IPCTL],
    commands: (at) => {
      const source = process.env['IPCTL_SOURCE'];
      return source === undefined
        ? [['go', 'install', IPCTL]]
        : [['go', '-C', source, 'build', '-o', join(at, 'ipctl'), './cmd/ipctl']];
    },
  },
  {
    name: 'go',
    program: 'oapi-codegen',
    versions: [GO_PROGRAM, readFileSync(join(goModule, 'go.sum'), 'utf8')],
    commands: () => [
      ['go', 'install', GO_PROGRAM],
      // The generated client imports these modules.
      ['go', '-C', goModule, 'mod', 'download'],
    ],
  },
  {
    name: 'actionlint',
    program: 'actionlint',
    versions: [ACTIONLINT],
    commands: () => [['go', 'install', ACTIONLINT]],
  },
  {
    name: 'mcp-inspector',
    program: 'node_modules/.bin/mcp-inspector',
    versions: MCP_INSPECTOR,
    commands: (at) => [npmInstall(at, MCP_INSPECTOR)],
  },
  ...Object.entries(FORM_LIBRARIES).map(([name, packages]) => ({
    name,
    program: 'node_modules/react/package.json',
    versions: packages,
    commands: (at) => [npmInstall(at, packages)],
  })),
];

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !SETS.some((set) => set.name === name));
if (unknown.length > 0) {
  process.stderr.write(
    `unknown set ${unknown.join(', ')}; the sets are ${SETS.map(({ name }) => name).join(', ')}\n`,
  );
  process.exit(64);
}
for (const set of SETS) if (wanted.length === 0 || wanted.includes(set.name)) install(set);

function constraintsOf(file) {
  return fileURLToPath(new URL(`../test/clients/programs/python/${file}`, import.meta.url));
}

function pipInstall(at, versions, packages) {
  return [
    ['python3', '-m', 'venv', at],
    [join(at, 'bin', 'python'), '-m', 'pip', 'install', '--quiet', '-c', versions, ...packages],
  ];
}

function rjsfPackages(version) {
  return ['core', 'utils', 'validator-ajv8'].map((name) => `@rjsf/${name}@${version}`);
}

function reactPackages(version) {
  return [`react@${version}`, `react-dom@${version}`];
}

function npmInstall(at, packages) {
  const options = ['--silent', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', at];
  return ['npm', 'install', ...options, ...packages];
}

/** Installs a set, unless it is installed in these versions. `program` is one of its programs, which an upgrade of Python ends. */
function install({ name, program: installed, versions: list, commands }) {
  const at = join(folder, name);
  const record = join(at, 'versions.json');
  const versions = JSON.stringify(list);
  const isCurrent = existsSync(record) && readFileSync(record, 'utf8') === versions;
  if (isCurrent && existsSync(join(at, installed))) return;
  rmSync(at, { recursive: true, force: true });
  mkdirSync(at, { recursive: true });
  for (const [program, ...args] of commands(at)) {
    const env = { ...process.env, GOBIN: at, GOFLAGS: '-p=2' };
    const { status, error } = spawnSync(program, args, { env, stdio: ['ignore', 'inherit', 'inherit'] });
    if (status === 0) continue;
    process.stderr.write(
      `could not install the API tools of ${name}: ${error?.message ?? `${program} failed`}\n`,
    );
    process.exitCode = 1;
    return;
  }
  writeFileSync(record, versions);
}
