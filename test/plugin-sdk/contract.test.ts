import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Adapter, AdapterPlugin } from '../../src/core/adapter.js';
import { runAdapterContract } from '../../src/plugin-sdk/contract.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const GOOD: Adapter = {
  translate: ({ method, path, accept, body }) => [
    {
      method,
      path,
      headers: { accept, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body }),
    },
  ],
};

const PLUGIN: AdapterPlugin = {
  type: 'good',
  apiVersion: 1,
  summary: 'Meets the contract.',
  options: { type: 'object', additionalProperties: false, properties: { colour: { type: 'string' } } },
  create: () => GOOD,
};

const README = '`colour`\n\n## Example\n\n```yaml\nplugin: good\nbaseUrl: https://a.example\n```\n';
const CHANGELOG = '# Changelog\n\n## 1.0.0\n\n- First.\n';

interface Flaw {
  readonly plugin?: Partial<AdapterPlugin>;
  readonly adapter?: Partial<Adapter>;
  readonly readme?: string;
  readonly changelog?: string;
}

/** Returns the names of the contract checks that a plugin with the flaw fails. */
async function failedChecks({
  plugin,
  adapter,
  readme = README,
  changelog = CHANGELOG,
}: Flaw): Promise<readonly string[]> {
  const folder = join(temporaryFolder().path, 'good');
  mkdirSync(folder);
  writeFileSync(join(folder, 'README.md'), readme);
  writeFileSync(join(folder, 'CHANGELOG.md'), changelog);
  const checks: { name: string; body: () => void | Promise<void> }[] = [];
  const subject = { ...PLUGIN, create: () => ({ ...GOOD, ...adapter }), ...plugin };
  runAdapterContract(subject, {
    folder,
    options: {},
    badOptions: [{ colour: 1 }],
    runner: {
      describe: (_name, body) => {
        body();
      },
      it: (name, body) => checks.push({ name, body }),
    },
  });
  const broken: string[] = [];
  for (const { name, body } of checks)
    await Promise.resolve()
      .then(body)
      .catch(() => broken.push(name));
  return broken;
}

const timers: NodeJS.Timeout[] = [];
const startTimer = (): void => void timers.push(setTimeout(() => undefined, 60_000));

const FLAWS: readonly (readonly [string, Flaw, RegExp])[] = [
  ['has another type than its folder', { plugin: { type: 'other' } }, /has the name of its folder/],
  ['has no summary', { plugin: { summary: '' } }, /has the name of its folder/],
  ['does not document an option', { readme: README.replace('colour', 'color') }, /documents every option/],
  [
    'documents invalid options',
    { readme: README.replace('\n```\n', '\noptions: { colour: 1 }\n```\n') },
    /documents every option/,
  ],
  ['has no versions in its changelog', { changelog: '# Changelog\n' }, /has a changelog/],
  ['accepts any option', { plugin: { options: { type: 'object' } } }, /has a strict schema/],
  [
    'starts a timer at its creation',
    { plugin: { create: () => (startTimer(), GOOD) } },
    /is created without/,
  ],
  [
    'translates differently each time',
    { adapter: { translate: () => [{ method: 'GET', path: `/${Math.random()}`, headers: {} }] } },
    /translates a call/,
  ],
  ['sends nothing', { adapter: { translate: () => [] as never } }, /translates a call/],
  [
    'sends credentials',
    { adapter: { translate: () => [{ method: 'GET', path: '/', headers: { authorization: 'x' } }] } },
    /host can send/,
  ],
  [
    'sends header names with capitals',
    { adapter: { translate: () => [{ method: 'GET', path: '/', headers: { Accept: 'x' } }] } },
    /host can send/,
  ],
  [
    'throws at a reply',
    {
      adapter: {
        explain: ({ body }) => ({ detail: (JSON.parse(String(body)) as { detail: string }).detail }),
      },
    },
    /explains any reply/,
  ],
  ['shapes a result that is not JSON', { adapter: { shape: () => undefined } }, /shapes any reply/],
];

describe('runAdapterContract', () => {
  after(() => {
    timers.forEach(clearTimeout);
  });

  it('passes for a correct plugin', async () => {
    assert.deepEqual(await failedChecks({}), []);
  });

  for (const [what, flaw, promise] of FLAWS)
    it(`fails for a plugin that ${what}`, async () => {
      const broken = await failedChecks(flaw);
      assert.ok(
        broken.some((name) => promise.test(name)),
        broken.join('; '),
      );
    });
});
