import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isAdapterFile, listAdapterFiles } from '../../src/config/adapter-files.js';
import { columns } from '../support/columns.js';
import { temporaryFolder } from '../support/temporary-folder.js';

describe('listAdapterFiles', () => {
  async function list(...names: readonly string[]) {
    const { path: folder } = temporaryFolder();
    for (const name of names) writeFileSync(join(folder, name), '');
    const { files, faults, ignored } = await listAdapterFiles(folder);
    return { folder, files, faults, ignored, names: files.map(({ file }) => basename(file)) };
  }

  it('lists the files of adapters with their ids, and no other file', async () => {
    const { folder, files, faults, ignored } = await list(
      'b.json',
      'a.b.yaml',
      'c.yml',
      '.d.yaml',
      'README.md',
    );
    assert.deepEqual(files, [
      { id: 'a.b', file: join(folder, 'a.b.yaml') },
      { id: 'b', file: join(folder, 'b.json') },
      { id: 'c', file: join(folder, 'c.yml') },
    ]);
    assert.deepEqual([faults, ignored], [[], []]);
  });

  it('compares names by their UTF-16 code units, whatever the order of the system is', async () => {
    const names = ['\uff21.yaml', '\u{1f600}.yaml', 'b.yaml', 'B.yaml'];
    assert.deepEqual((await list(...names)).names, ['B.yaml', 'b.yaml', '\u{1f600}.yaml', '\uff21.yaml']);
  });

  it('recommends a fix for each fault of a name', async () => {
    const { folder, faults } = await list('nso1.json', 'nso1.yaml', 'nso1.yml', 'é.yaml');
    const place = { line: 0, column: 0, pointer: '', code: 'adapter-id' };
    const again = (name: string) => ({
      file: join(folder, name),
      ...place,
      message: `defines the adapter of ${join(folder, 'nso1.json')} again`,
      fix: 'Keep one of the two files.',
    });
    const [name, ...twins] = faults;
    assert.deepEqual(twins, [again('nso1.yaml'), again('nso1.yml')]);
    assert.match(name?.message ?? '', /^has a name that is no adapterId: /);
    assert.deepEqual([name?.file, name?.fix], [join(folder, 'é.yaml'), 'Rename the file.']);
  });

  it('warns of a name that is nearly that of an adapter file', async () => {
    const nearly = ['a.YAML', 'b.json.txt', 'c.yaml.txt', 'd.Yml'];
    const { folder, files, faults, ignored } = await list(...nearly, '.e.yaml.txt', 'f.txt', 'g.yaml~');
    assert.deepEqual([files, faults], [[], []]);
    assert.deepEqual(
      ignored,
      nearly.map((name) => ({
        file: join(folder, name),
        ...{ line: 0, column: 0, pointer: '', code: 'adapter-id' },
        message: 'is ignored: the name of an adapter file ends in .yaml, .yml or .json',
        fix: 'Rename the file, or move it to another folder.',
      })),
    );
  });

  it('is empty for a missing folder, and has a fault for a file in its place', async () => {
    const { folder } = await list('adapters');
    const none = { files: [], ignored: [] };
    assert.deepEqual(await listAdapterFiles(join(folder, 'none')), { ...none, faults: [] });
    const { faults, ...rest } = await listAdapterFiles(join(folder, 'adapters'));
    assert.deepEqual(rest, none);
    assert.deepEqual(columns(faults, 'message', 'fix'), [
      ['is expected in a folder that is a file', 'Check the path.'],
    ]);
  });
});

describe('isAdapterFile', () => {
  it('accepts three endings in lower case, after at least one character that is no dot', () => {
    for (const name of ['a.yaml', 'a.yml', 'a.json', 'a.b.json', 'a\nb.yaml'])
      assert.ok(isAdapterFile(name), name);
    for (const name of ['a.yaml~', 'a.YAML', '.yaml', '.a.yaml', 'a.yaml.txt', 'yaml', 'a.jsonc', 'axyaml'])
      assert.ok(!isAdapterFile(name), name);
  });
});
