import { type Command, EXIT, parseOptions, UsageError } from './command.js';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { SCHEMA_FOLDER, schemaLine } from './init-files.js';
import { VERSION } from '../server/version.js';

/** Name of gatehouse at npm, from which plugins import `/plugin`. The name `gatehouse` belongs to another package. */
const PACKAGE_NAME = 'gatehouse-proxy';

/** Writes a working plugin as a starting point for its author. */
const pluginNew: Command = {
  name: 'plugin new',
  summary: 'create the folder of a new plugin: code, README, changelog, tests',
  help: `Usage: gatehouse plugin new TYPE [--dir DIR]

Creates the folder DIR/TYPE with a plugin that satisfies the contract: index.js, README.md,
CHANGELOG.md, index.test.js, and a package.json to install it with npm. An existing folder
is never changed.

Options:
  --dir DIR  folder in which to create it (default: the working directory)`,
  async run([type, ...rest], io) {
    const { dir } = parseOptions(rest, { dir: { type: 'string', default: '.' } });
    const folder = join(resolve(dir), checkedType(type));
    await makeFolder(folder);
    for (const [name, text] of pluginFiles(checkedType(type)))
      await writeFile(join(folder, name), text, { flag: 'wx' });
    io.out(nextSteps(folder));
    return EXIT.ok;
  },
};

const TYPE_PATTERN = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;

function checkedType(type = ''): string {
  if (TYPE_PATTERN.test(type) && type.length <= 64) return type;
  throw new UsageError(
    'name the type: lower-case letters and digits, words joined by hyphens, for example acme-nms',
  );
}

async function makeFolder(folder: string): Promise<void> {
  await mkdir(join(folder, '..'), { recursive: true });
  try {
    await mkdir(folder);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    throw new UsageError(`${folder} exists already; choose another type, or another --dir`);
  }
}

function nextSteps(folder: string): string {
  return `${folder} is written. Next:

  cd ${folder} && npm install --save-dev ${PACKAGE_NAME}@${VERSION} && node --test
  npm install ${folder}     in the folder of your configuration, to use it as "plugin:" there
`;
}

/** Command group for writing plugins. */
export const plugin: Command = {
  name: 'plugin',
  summary: 'create an adapter plugin',
  help: `Usage: gatehouse plugin COMMAND [OPTIONS]

Commands:
  new      ${pluginNew.summary}

Run "gatehouse plugin COMMAND --help" for the options of a command.`,
  commands: [pluginNew],
  run([word]) {
    const given = word === undefined ? '' : `, not "${word}"`;
    throw new UsageError(`name a command: new${given}`);
  },
};

/** Returns the files of a new plugin by name. */
function pluginFiles(type: string): ReadonlyMap<string, string> {
  return new Map([
    ['package.json', packageJson(type)],
    ['index.js', index(type)],
    ['index.test.js', test(type)],
    ['README.md', readme(type)],
    ['CHANGELOG.md', `# Changelog of ${type}\n\n## 1.0.0\n\n- The first release.\n`],
  ]);
}

function packageJson(type: string): string {
  const content = {
    name: type,
    version: '1.0.0',
    description: `gatehouse plugin ${type}`,
    keywords: ['gatehouse-plugin'],
    type: 'module',
    exports: './index.js',
    scripts: { test: 'node --test' },
    peerDependencies: { [PACKAGE_NAME]: `^${VERSION}` },
    peerDependenciesMeta: { [PACKAGE_NAME]: { optional: true } },
  };
  return `${JSON.stringify(content, null, 2)}\n`;
}

function index(type: string): string {
  return `/**
 * Forwards calls with the tenant in a header. Change translate() to the requests of your orchestrator. Add shape() to
 * convert replies, explain() to describe errors, and start() and stop() for work before the first and after the last call.
 *
 * @type {import('gatehouse-proxy/plugin').AdapterPlugin<{ tenant: string }>}
 */
export const plugin = {
  type: '${type}',
  apiVersion: 1,
  summary: 'Forwards calls with the tenant in a header.',
  options: {
    type: 'object',
    additionalProperties: false,
    required: ['tenant'],
    properties: {
      tenant: { description: 'Name of the tenant.', type: 'string', pattern: '^[a-z0-9-]{1,64}$' },
    },
  },
  create({ tenant }) {
    return {
      fixedHeaders: () => ({ 'x-tenant': tenant }),
      translate({ method, path, accept, contentType = 'application/json', body }) {
        const headers = { accept, 'x-tenant': tenant };
        if (!body) return [{ method, path, headers }];
        return [{ method, path, headers: { ...headers, 'content-type': contentType }, body }];
      },
    };
  },
};
`;
}

function test(type: string): string {
  return `import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runAdapterContract } from 'gatehouse-proxy/plugin/contract';
import { plugin } from './index.js';

runAdapterContract(plugin, {
  folder: fileURLToPath(new URL('.', import.meta.url)),
  options: { tenant: 'blue' },
  badOptions: [{}, { tenant: 'BLUE' }],
  runner: { describe, it },
});

describe('${type}', () => {
  it('names the tenant', () => {
    const adapter = plugin.create({ tenant: 'blue' });
    const [request] = adapter.translate({ kind: 'query', method: 'GET', path: '/a', accept: '*/*' });
    assert.equal(request.headers['x-tenant'], 'blue');
  });
});
`;
}

function readme(type: string): string {
  return `# ${type}

Describe the orchestrator of this plugin in two sentences.

## Options

| Option   | Type   | Default  | Meaning             |
| -------- | ------ | -------- | ------------------- |
| \`tenant\` | string | required | Name of the tenant. |

## Example

\`\`\`yaml
${schemaLine('adapter', `../${SCHEMA_FOLDER}`)}# config/adapters/core1.yaml
plugin: ${type}
baseUrl: https://orchestrator.example
auth: { type: bearer, token: $VAULT_adapters/core1#token }
options: { tenant: blue }
\`\`\`
`;
}
