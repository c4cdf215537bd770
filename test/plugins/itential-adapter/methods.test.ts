import assert from 'node:assert/strict';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { positionalRequest, readMethods } from '../../../plugins/itential-adapter/methods.js';
import { compileSchema } from '../../../src/json-schema/compile.js';
import { CATALOGUE_ADAPTER } from '../../support/catalogue-adapter.js';
import { column } from '../../support/columns.js';
import { invalidAt, problem } from '../../support/failing.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

/** Creates a folder whose pronghorn.json lists these methods. */
function folderWith(methods: unknown): string {
  const { path } = temporaryFolder();
  writeFileSync(join(path, 'pronghorn.json'), JSON.stringify({ methods }));
  return path;
}

async function namesOf(...names: readonly string[]): Promise<readonly string[]> {
  const methods = await readMethods(folderWith(names.map((name) => ({ name, summary: name, input: [] }))));
  return methods.map(({ name }) => name);
}

describe('readMethods', () => {
  it('leaves out the functions of the lifecycle, of EventEmitter and of the administration, and keeps the others', async () => {
    const lifecycle = 'connect healthCheck refreshProperties emit on constructor';
    // The argument `metadata` of the last one sets the host and the login of the call.
    const administration = `iapUpdateAdapterConfiguration iapSuspendAdapter iapRunAdapterTests iapTroubleshootAdapter
      iapMoveAdapterEntitiesToDB updateAdapterConfiguration suspend troubleshoot iapExpandedGenericAdapterRequest`;
    const calls = ['getDevice', 'iapGetDeviceCount', 'genericAdapterRequest', 'isAlive'];
    assert.deepEqual(await namesOf(...lifecycle.split(' '), ...administration.split(/\s+/), ...calls), calls);
  });

  it('returns the same methods while the file is the same, so that schemas are compiled once', async () => {
    const { path } = temporaryFolder();
    cpSync(CATALOGUE_ADAPTER, path, { recursive: true });
    const first = await readMethods(path);
    assert.equal(await readMethods(path), first);
    writeFileSync(join(path, 'pronghorn.json'), JSON.stringify({ methods: [] }));
    assert.deepEqual(await readMethods(path), []);
  });

  it('reads parameters with a schema, with a type, and with a type that JSON Schema does not know', async () => {
    const input = [
      { name: 'a', type: 'string', info: 'A', required: true, schema: { type: 'string', minLength: 2 } },
      { name: 'b', type: 'number' },
      { name: 'c', type: 'enum', required: false },
    ];
    const output = {
      name: 'result',
      type: 'object',
      description: 'R',
      schema: { title: 'r', type: 'object' },
    };
    const listed = { name: 'm', summary: 'M', description: 'Longer', input, output };
    // A description that repeats the summary is left out.
    const repeated = { name: 'n', summary: 'N', description: 'N' };
    const [method, other] = await readMethods(folderWith([listed, repeated]));
    assert.deepEqual(method, {
      name: 'm',
      summary: 'M',
      description: 'Longer',
      input: {
        $schema: 'http://json-schema.org/draft-07/schema#',
        type: 'object',
        additionalProperties: false,
        required: ['a'],
        properties: { a: { description: 'A', type: 'string', minLength: 2 }, b: { type: 'number' }, c: {} },
      },
      output: { description: 'R', title: 'r', type: 'object' },
    });
    assert.deepEqual([other?.name, other?.description], ['n', undefined]);
  });

  it('adapts references within the schema of a parameter to their position', async () => {
    const schema = {
      $id: 'urn:device',
      definitions: { port: { type: 'integer' } },
      type: 'object',
      properties: { port: { $ref: '#/definitions/port' } },
    };
    const [method] = await readMethods(folderWith([{ name: 'm', input: [{ name: 'device', schema }] }]));
    assert.ok(method);
    const validate = compileSchema(method.input);
    assert.deepEqual(validate({ device: { port: 1 } }).violations, []);
    assert.deepEqual(column(validate({ device: { port: 'x' } }).violations, 'pointer'), ['/device/port']);
  });

  it('returns no methods for a file without methods, and ignores entries without a name', async () => {
    assert.deepEqual(await readMethods(folderWith(undefined)), []);
    assert.deepEqual(await readMethods(folderWith([null, 'm', { summary: 'no name' }])), []);
  });

  it('throws a Problem that names the file if the file is missing or not JSON', async () => {
    const folder = folderWith([]);
    writeFileSync(join(folder, 'pronghorn.json'), '{');
    await assert.rejects(readMethods(folder), problem('adapter_unavailable', /pronghorn\.json is not JSON/));
    rmSync(join(folder, 'pronghorn.json'));
    await assert.rejects(
      readMethods(folder),
      problem('adapter_unavailable', /pronghorn\.json cannot be read/),
    );
  });
});

describe('positionalRequest', () => {
  it('orders the arguments like the parameters, with null for absent arguments', async () => {
    const input = ['a', 'b', 'constructor'].map((name) => ({ name, type: 'string' }));
    const methods = await readMethods(folderWith([{ name: 'm', input }]));
    assert.deepEqual(positionalRequest({ method: 'm', args: { b: 'x' } }, methods), {
      method: 'm',
      args: [null, 'x', null],
    });
  });

  it('refuses another host or login for a call (bug: another host received the credentials of the adapter)', () => {
    const callProperties = { host: 'other.example' };
    const cases = [
      [{ metadata: { callProperties } }, '/metadata/callProperties'],
      [{ iapMetadata: JSON.stringify({ callProperties }) }, '/iapMetadata/callProperties'],
      [{ callOptions: { authData: { roleName: 'admin' } } }, '/callOptions/authData'],
      [{ request: { callProperties } }, '/request/callProperties'],
      [{ callProperties }, '/callProperties'],
      [{ authData: '{}' }, '/authData'],
    ] as const;
    for (const [args, pointer] of cases)
      assert.throws(() => positionalRequest({ method: 'm', args }, []), invalidAt(pointer), pointer);
  });

  it('passes other settings of a call, data with authData, and text', async () => {
    const input = ['iapMetadata', 'body', 'text'].map((name) => ({ name }));
    const args = { iapMetadata: { uriQuery: { a: 1 } }, body: { authData: 1 }, text: 'callProperties' };
    const methods = await readMethods(folderWith([{ name: 'm', input }]));
    const request = positionalRequest({ method: 'm', args }, methods);
    assert.deepEqual(request.args, Object.values(args));
  });
});
