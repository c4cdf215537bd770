import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { createConfigLoader } from '../../../src/server/config-loader.js';
import { warnOfConfig } from '../../../src/server/reload/config-warnings.js';
import { memoryLog } from '../../support/memory-log.js';
import { writeMistake } from '../../support/mistakes.js';

describe('warnOfConfig', () => {
  it('logs each probable mistake once, with its place and what to do', async () => {
    const folder = writeMistake({ files: { 'adapters/a.yml.txt': '' } });
    const loader = await createConfigLoader({ configPath: join(folder, 'gatehouse.yaml'), env: {} });
    const before = (await loader.read()).desired.files;
    const { log, lines } = memoryLog();
    warnOfConfig(before, log);
    assert.deepEqual(
      lines.map(({ level, message, fields }) => [level, message, fields['file'], fields['fix']]),
      [
        [
          'warn',
          'configuration has a probable mistake',
          join(folder, 'adapters', 'a.yml.txt'),
          'Rename the file, or move it to another folder.',
        ],
      ],
    );

    writeFileSync(join(folder, 'gatehouse.yaml'), 'log: { syslog: { url: "tcp://[::1]" } }\n');
    const next = (await loader.read()).desired.files;
    lines.splice(0);
    warnOfConfig(next, log, before);
    assert.deepEqual(
      lines.map(({ fields }) => fields['reason']),
      ['names no port, so the messages go to port 601'],
    );
    rmSync(folder, { recursive: true });
  });

  it('warns of adapters of limits that do not exist', async () => {
    const folder = writeMistake({
      files: { 'adapters/core1.yaml': 'plugin: http-rest\nbaseUrl: http://127.0.0.1:1\n' },
    });
    const limits = 'limits: { few: { adapters: [core1, "core*", cor1], concurrent: 1 } }\n';
    writeFileSync(join(folder, 'gatehouse.yaml'), limits);
    const loader = await createConfigLoader({ configPath: join(folder, 'gatehouse.yaml'), env: {} });
    const { log, lines } = memoryLog();
    warnOfConfig((await loader.read()).desired.files, log);
    assert.deepEqual(
      lines.map(({ fields }) => [fields['pointer'], fields['reason']]),
      [['/limits/few/adapters/2', 'matches no adapter of the files; did you mean "core1"?']],
    );
    rmSync(folder, { recursive: true });
  });

  it('warns of records and log lines in the folders of the configuration, which are watched', async () => {
    const folder = writeMistake({ files: {} });
    const main = join(folder, 'gatehouse.yaml');
    writeFileSync(main, 'audit: { file: audit.log }\nlog: { file: adapters/gatehouse.log }\n');
    const loader = await createConfigLoader({ configPath: relative('.', main), env: {} });
    const { log, lines } = memoryLog();
    warnOfConfig((await loader.read()).desired.files, log);
    assert.deepEqual(
      lines.map(({ fields }) => [fields['line'], fields['pointer'], fields['fix']]),
      [
        [1, '/audit/file', 'Put the file into another folder, for example ../data.'],
        [2, '/log/file', 'Put the file into another folder, for example ../data.'],
      ],
    );

    lines.splice(0);
    for (const elsewhere of ['file: data/audit.log', 'file: audit.log, durability: store']) {
      writeFileSync(main, `audit: { ${elsewhere} }\nlog: { file: ../gatehouse.log }\n`);
      warnOfConfig((await loader.read()).desired.files, log);
    }
    assert.deepEqual(lines, []);
    rmSync(folder, { recursive: true });
  });
});
