import { VERSION } from '../server/version.js';

/** Returns the files of a new plugin by name. */
export function pluginFiles(type: string): ReadonlyMap<string, string> {
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
    peerDependencies: { gatehouse: `>=${VERSION}` },
    peerDependenciesMeta: { gatehouse: { optional: true } },
  };
  return `${JSON.stringify(content, null, 2)}\n`;
}

function index(type: string): string {
  return `/**
 * Passes calls on, with the tenant in a header. Change translate() to what your orchestrator wants; shape(), explain(),
 * start() and stop() are there for replies, errors and what must be known before the first call.
 *
 * @type {import('gatehouse/plugin').AdapterPlugin<{ tenant: string }>}
 */
export const plugin = {
  type: '${type}',
  apiVersion: 1,
  summary: 'Passes calls on, with the tenant in a header.',
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
import { runAdapterContract } from 'gatehouse/plugin/contract';
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

Which orchestrator this is for, in two sentences.

## Options

| Option   | Type   | Default  | Meaning             |
| -------- | ------ | -------- | ------------------- |
| \`tenant\` | string | required | Name of the tenant. |

## Example

\`\`\`yaml
# config/adapters/core1.yaml
plugin: ${type}
baseUrl: https://orchestrator.example
auth: { type: bearer, token: $VAULT_adapters/core1#token }
options: { tenant: blue }
\`\`\`
`;
}
