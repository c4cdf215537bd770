import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Adapter, AdapterPlugin } from '../../src/core/adapter.js';
import { Problem } from '../../src/core/problem.js';
import { parseJson } from '../../src/json/strict-json.js';
import { type ContractCase, runAdapterContract } from '../../src/plugin-sdk/contract.js';
import { column } from '../support/columns.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const GOOD: Adapter = {
  translate({ method, path, accept, body }) {
    const headers = { accept, ...(body && { 'content-type': 'application/json' }) };
    return [{ method, path, headers, ...(body && { body }) }];
  },
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
  readonly contract?: Partial<ContractCase>;
}

/** Returns the contract checks that a plugin with the flaw fails. */
async function failuresOf({
  plugin,
  adapter,
  readme = README,
  changelog = CHANGELOG,
  contract = {},
}: Flaw): Promise<readonly { readonly name: string; readonly message: string }[]> {
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
    ...contract,
    runner: {
      describe: (_name, body) => {
        body();
      },
      it: (name, body) => checks.push({ name, body }),
    },
  });
  const broken: { name: string; message: string }[] = [];
  for (const { name, body } of checks)
    await Promise.resolve()
      .then(body)
      .catch((error: unknown) => broken.push({ name, message: (error as Error).message }));
  return broken;
}

type Members = Readonly<Record<string, unknown>>;

const timers: NodeJS.Timeout[] = [];
const createWithTimer = (): Adapter => {
  timers.push(setTimeout(() => undefined, 60_000));
  return GOOD;
};
const INVALID_EXAMPLE = README.replace('\n```\n', '\noptions: { colour: 1 }\n```\n');
const explainJson: Adapter['explain'] = ({ body }) => ({
  detail: (JSON.parse(String(body)) as { detail: string }).detail,
});

/** A plugin that translates each call to a GET with these headers. */
const sending = (headers: Readonly<Record<string, string>>, path = (): string => '/'): Flaw => ({
  adapter: { translate: () => [{ method: 'GET', path: path(), headers }] },
});

const FLAWS: readonly (readonly [string, Flaw, RegExp])[] = [
  ['has another type than its folder', { plugin: { type: 'other' } }, /has the name of its folder/],
  ['has no summary', { plugin: { summary: '' } }, /has the name of its folder/],
  ['does not document an option', { readme: README.replace('colour', 'color') }, /documents every option/],
  ['documents invalid options', { readme: INVALID_EXAMPLE }, /documents every option/],
  ['has no versions in its changelog', { changelog: '# Changelog\n' }, /has a changelog/],
  ['accepts any option', { plugin: { options: { type: 'object' } } }, /has a strict schema/],
  ['starts a timer at its creation', { plugin: { create: createWithTimer } }, /is created without/],
  ['translates differently each time', sending({}, () => `/${Math.random()}`), /translates a call/],
  ['sends nothing', { adapter: { translate: () => [] as never } }, /translates a call/],
  ['sends credentials', sending({ authorization: 'x' }), /host can send/],
  ['sends header names with capitals', sending({ Accept: 'x' }), /host can send/],
  ['throws at a reply', { adapter: { explain: explainJson } }, /explains any reply/],
  ['shapes a result that is not JSON', { adapter: { shape: () => undefined } }, /shapes any reply/],
];

describe('runAdapterContract', () => {
  after(() => {
    timers.forEach(clearTimeout);
  });

  it('passes for a correct plugin', async () => {
    assert.deepEqual(await failuresOf({}), []);
  });

  for (const [what, flaw, promise] of FLAWS)
    it(`fails for a plugin that ${what}`, async () => {
      const broken = column(await failuresOf(flaw), 'name').join('; ');
      assert.match(broken, promise);
    });

  const withShape = (shape: (value: Members) => unknown): Adapter => ({
    ...GOOD,
    shape(_call, { body }) {
      const parsed = parseJson(body);
      if (!('value' in parsed) || parsed.value === null) return null;
      return shape(parsed.value as Members) ?? null;
    },
  });

  it('finds a member that shape expects and that a reply may lack, and names the smallest reply', async () => {
    const readZone = ({ rrsets }: { readonly rrsets?: unknown }): unknown =>
      Array.isArray(rrsets)
        ? rrsets.map((set: { readonly records: readonly string[] } | null) => set?.records.map(String))
        : null;
    const adapter = withShape(readZone);
    const create = Object.assign(() => adapter, { toString: () => String(readZone) });
    const [failure, ...others] = await failuresOf({ plugin: { create } });
    assert.deepEqual(others, []);
    assert.equal(failure?.name, 'shapes and explains generated replies without throwing');
    const { message } = failure;
    assert.match(message, /^shape throws TypeError: Cannot read properties of undefined \(reading 'map'\)/);
    assert.ok(message.includes('for the reply {"rrsets":[{}]} (status 200, application/json)'), message);
  });

  it('varies the replies of the author, whose names need not be in the source', async () => {
    const [zone, serial] = ['zo ne', 'se rial'].map((parts) => parts.replace(' ', '')) as [string, string];
    const adapter = withShape((value) => (zone in Object(value) ? (value[zone] as Members)[serial] : null));
    const body = Buffer.from(JSON.stringify({ [zone]: { [serial]: '7' }, kind: 'master' }));
    const failures = await failuresOf({
      plugin: { create: () => adapter },
      contract: { replies: [{ status: 200, headers: {}, body }], seed: 7 },
    });
    assert.match(failures[0]?.message ?? '', /for the reply \{"zone":null\}/);
    assert.equal(failures.length, 1);
  });

  const withTranslate = (problemOf: () => Error): Flaw => ({
    adapter: {
      translate(call) {
        if (call.path.includes('{id}')) throw problemOf();
        return GOOD.translate(call);
      },
    },
  });

  it('finds a call that translate does not handle, and names the call', async () => {
    const [failure] = await failuresOf(withTranslate(() => new TypeError('no id')));
    assert.match(
      failure?.message ?? '',
      /^translate throws TypeError: no id\nfor the call \{ method: '\w+', path: '.*\{id\}/,
    );
  });

  it('lets translate reject a call with a Problem', async () => {
    const flaw = withTranslate(() => new Problem('invalid_request', 'the path has a placeholder'));
    assert.deepEqual(await failuresOf(flaw), []);
  });
});
