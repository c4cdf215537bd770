import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { NO_STATE } from '../../../src/core/platform-state.js';
import { createConfigLoader } from '../../../src/server/config-loader.js';
import { warnOfConfig } from '../../../src/server/state/config-warnings.js';
import { column, columns } from '../../support/columns.js';
import { memoryLog } from '../../support/memory-log.js';
import { writeMistake } from '../../support/mistakes.js';

/** Writes a configuration; the returned function writes the main file, and returns the warnings about a member. */
async function openWarnings(files: Readonly<Record<string, string>>, isRelative = false) {
  const folder = writeMistake({ files });
  const main = join(folder, 'gatehouse.yaml');
  const configPath = isRelative ? relative('.', main) : main;
  const loader = await createConfigLoader({ configPath, env: {} });
  let before: Parameters<typeof warnOfConfig>[0] | undefined;
  const warn = async (text: string, state = NO_STATE) => {
    writeFileSync(main, text);
    const { log, lines } = memoryLog();
    const { files } = (await loader.read()).desired;
    warnOfConfig({ files, state }, log, before);
    before = { files, state };
    return lines;
  };
  return { folder, warn };
}

describe('warnOfConfig', () => {
  it('logs each probable mistake once, with its place and what to do', async () => {
    const { folder, warn } = await openWarnings({ 'adapters/a.yml.txt': '' });
    const [line, ...others] = await warn('');
    assert.deepEqual(
      [line?.level, line?.message, line?.fields['file'], line?.fields['fix'], others],
      [
        'warn',
        'configuration has a probable mistake',
        join(folder, 'adapters', 'a.yml.txt'),
        'Rename the file, or move it to another folder.',
        [],
      ],
    );
    const next = column(await warn('log: { syslog: { url: "tcp://[::1]" } }\n'), 'fields');
    assert.deepEqual(column(next, 'reason'), ['names no port, so the messages go to port 601']);
  });

  it('warns of adapters of limits that do not exist', async () => {
    const core1 = 'plugin: http-rest\nbaseUrl: http://127.0.0.1:1\n';
    const { warn } = await openWarnings({ 'adapters/core1.yaml': core1 });
    const lines = await warn('limits: { few: { adapters: [core1, "core*", cor1], concurrent: 1 } }\n');
    assert.deepEqual(columns(column(lines, 'fields'), 'pointer', 'reason'), [
      ['/limits/few/adapters/2', 'matches no adapter of the files; did you mean "core1"?'],
    ]);
  });

  it('warns of adapters and limits that replace those of the API (bug: no line said so)', async () => {
    const core1 = 'plugin: http-rest\nbaseUrl: http://127.0.0.1:1\n';
    const { warn } = await openWarnings({ 'adapters/core1.yaml': core1 });
    const record = (name: string) => ({ id: name, name, revision: 1, document: {} });
    const state = {
      ...NO_STATE,
      adapters: [record('core1'), record('core2')],
      limits: [record('few'), record('many')],
    };
    const lines = await warn('limits: { few: { concurrent: 1 } }\n', state);
    assert.deepEqual(columns(column(lines, 'fields'), 'pointer', 'reason'), [
      ['', 'replaces the adapter "core1" that is registered through the API'],
      ['/limits/few', 'replaces the limit "few" that is stored through the API'],
    ]);
  });

  it('warns of adapters for agents that do not exist, or are not offered', async () => {
    const core1 = 'plugin: http-rest\nbaseUrl: http://127.0.0.1:1\n';
    const { warn } = await openWarnings({ 'adapters/core1.yaml': core1 });
    const enabled = await warn('mcp: { enabled: true, adapters: ["core*", cor1] }\n');
    assert.deepEqual(columns(column(enabled, 'fields'), 'pointer', 'reason'), [
      ['/mcp/adapters/1', 'matches no adapter of the files; did you mean "core1"?'],
    ]);
    const disabled = await warn('mcp: { adapters: [core1] }\n');
    assert.deepEqual(columns(column(disabled, 'fields'), 'pointer', 'reason'), [
      ['/mcp/adapters', 'has no effect, because mcp.enabled is false'],
    ]);
  });

  it('warns of records and log lines in the folders of the configuration, which are watched', async () => {
    const { warn } = await openWarnings({}, true);
    const lines = await warn('audit: { file: audit.log }\nlog: { file: adapters/gatehouse.log }\n');
    assert.deepEqual(columns(column(lines, 'fields'), 'line', 'pointer', 'fix'), [
      [1, '/audit/file', 'Put the file into another folder, for example ../data.'],
      [2, '/log/file', 'Put the file into another folder, for example ../data.'],
    ]);
    for (const elsewhere of ['file: data/audit.log', 'file: audit.log, durability: store'])
      assert.deepEqual(await warn(`audit: { ${elsewhere} }\nlog: { file: ../gatehouse.log }\n`), []);
  });
});
