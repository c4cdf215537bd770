import { VERSION } from '../../lib/version.js';
import { SCHEMA_FOLDER, schemaLine } from '../init/init-files.js';

/** Name of the package with the plugin API and the contract suite. */
const KIT_NAME = 'gatehouse-plugin-kit';

/** Name of the file of the kit, which a new plugin contains. */
export const KIT_FILE = `${KIT_NAME}-${VERSION}.tgz`;

export type Language = 'javascript' | 'typescript';

export function pluginFiles(type: string, language: Language): ReadonlyMap<string, string> {
  return new Map([
    ...(language === 'typescript' ? typeScriptFiles(type) : javaScriptFiles(type)),
    ['README.md', readme(type)],
    ['CHANGELOG.md', `# Changelog of ${type}\n\n## 1.0.0\n\n- The first release.\n`],
  ]);
}

type Files = readonly (readonly [path: string, text: string])[];

function javaScriptFiles(type: string): Files {
  return [
    [
      'package.json',
      packageJson(type, { exports: './index.js', scripts: { test: 'node --test --test-reporter=spec' } }),
    ],
    ['.gitignore', `node_modules/\n/${type}-*.tgz\n`],
    // npm would pack the file of the kit too.
    ['.npmignore', '*.tgz\n*.test.js\n'],
    ['index.js', javaScriptIndex(type)],
    ['index.test.js', contractTest(type, { folder: '.', context: '' })],
  ];
}

/** The compiler and the types of Node.js, which the types of the kit refer to. */
const TYPESCRIPT_PACKAGES = { '@types/node': '^20.19.0', typescript: '^5.9.0' };

function typeScriptFiles(type: string): Files {
  const manifest = {
    exports: './dist/index.js',
    // npm leaves files of .gitignore out of a package unless they are listed here.
    files: ['dist', '!dist/*.test.js', 'CHANGELOG.md'],
    scripts: {
      build: 'tsc',
      test: 'tsc && node --test --test-reporter=spec dist/*.test.js',
      prepack: 'tsc',
    },
  };
  return [
    ['package.json', packageJson(type, manifest, TYPESCRIPT_PACKAGES)],
    ['.gitignore', `node_modules/\ndist/\n/${type}-*.tgz\n`],
    [
      'tsconfig.json',
      `${JSON.stringify({ compilerOptions: COMPILER_OPTIONS, include: ['src'] }, null, 2)}\n`,
    ],
    ['src/index.ts', typeScriptIndex(type)],
    ['src/index.test.ts', contractTest(type, { folder: '..', context: ', undefined as never' })],
  ];
}

const COMPILER_OPTIONS = {
  target: 'ES2023',
  lib: ['ES2023'],
  module: 'NodeNext',
  types: ['node'],
  rootDir: 'src',
  outDir: 'dist',
  strict: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  skipLibCheck: true,
};

function packageJson(type: string, members: object, packages: object = {}): string {
  const content = {
    name: type,
    version: '1.0.0',
    description: `gatehouse plugin ${type}`,
    keywords: ['gatehouse-plugin'],
    type: 'module',
    ...members,
    devDependencies: { ...packages, [KIT_NAME]: `file:${KIT_FILE}` },
  };
  return `${JSON.stringify(content, null, 2)}\n`;
}

const ABOUT = `Forwards calls with the tenant in a header. Change translate() to the requests of your orchestrator. Add shape() to
 * convert replies, explain() to describe errors, and start() and stop() for work before the first and after the last call.`;

function javaScriptIndex(type: string): string {
  return `/**
 * ${ABOUT}
 *
 * @type {import('${KIT_NAME}').AdapterPlugin<{ tenant: string }>}
 */
export const plugin = {
${pluginBody(type)}};
`;
}

function typeScriptIndex(type: string): string {
  return `import type { AdapterPlugin } from '${KIT_NAME}';

/** Options of an adapter file, after validation against the schema below. */
interface Options {
  readonly tenant: string;
}

/**
 * ${ABOUT}
 */
export const plugin: AdapterPlugin<Options> = {
${pluginBody(type)}};
`;
}

function pluginBody(type: string): string {
  return `  type: '${type}',
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
`;
}

/** Returns the test of a plugin: its folder relative to the file, and further arguments of `create`. */
function contractTest(
  type: string,
  { folder, context }: { readonly folder: string; readonly context: string },
): string {
  return `import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runAdapterContract } from '${KIT_NAME}/contract';
import { plugin } from './index.js';

runAdapterContract(plugin, {
  folder: fileURLToPath(new URL('${folder}', import.meta.url)),
  options: { tenant: 'blue' },
  badOptions: [{}, { tenant: 'BLUE' }],
  runner: { describe, it },
});

describe('${type}', () => {
  it('names the tenant', () => {
    const adapter = plugin.create({ tenant: 'blue' }${context});
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

## Development

\`\`\`sh
npm install
npm test
npm pack
\`\`\`

\`${KIT_FILE}\` has the types of plugins and their contract suite. It is part of this folder because the public registry does not have it yet:
later, \`npm install --save-dev ${KIT_NAME}@${VERSION}\` replaces the file.

\`npm pack\` makes \`${type}-1.0.0.tgz\`: in the folder of the configuration, run \`npm install\` with the path of this file and \`gatehouse check\`. To
try changes at once, run \`npm install\` with the path of this folder instead: a running gatehouse loads the code again when it changes.
`;
}
