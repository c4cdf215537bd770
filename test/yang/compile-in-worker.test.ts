import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { YangWorkers } from '../../src/yang/compile-in-worker.js';
import type { CompileJob } from '../../src/yang/worker.js';
import { column } from '../support/columns.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { asModule, yang11 } from '../support/yang.js';

function job(text: string, directories: readonly string[] = []): CompileJob {
  const sources = [{ file: 'm.yang', text }];
  return {
    sources,
    directories,
    texts: [],
    features: {},
    deviations: [],
    draft: '2020-12',
    content: 'config',
    limits: {},
  };
}

const ENDLESS = asModule(`leaf a { type string { pattern "(a*)*b"; } default "${'a'.repeat(60)}"; }`);

describe('YangWorkers', () => {
  let workers: YangWorkers;
  afterEach(() => workers.close());

  it('compiles a module', async () => {
    workers = new YangWorkers();
    const compiled = await workers.compile(job(asModule('leaf a { type int8; }')));
    assert.ok('modules' in compiled);
    assert.deepEqual(column(compiled.modules, 'module'), ['m']);
  });

  it('finds imported modules in folders', async () => {
    const folder = temporaryFolder().path;
    writeFileSync(join(folder, 't@2024-01-31.yang'), yang11('t', 'typedef t { type int8; }'));
    workers = new YangWorkers();
    const compiled = await workers.compile(
      job(asModule('import t { prefix t; } leaf a { type t:t; }'), [folder]),
    );
    assert.ok('modules' in compiled);
  });

  it('ends a compilation that takes too long, even inside a pattern', async () => {
    workers = new YangWorkers({ milliseconds: 300 });
    const compiled = await workers.compile(job(ENDLESS));
    assert.ok('faults' in compiled);
    assert.match(compiled.faults[0]?.message ?? '', /compiling takes longer than 300 ms/);
  });

  it('ends a compilation that needs too much memory', async () => {
    workers = new YangWorkers({ megabytes: 16 });
    const leaves = Array.from({ length: 60_000 }, (_, at) => `leaf l${at} { type int8; }`).join(' ');
    const compiled = await workers.compile(job(asModule(leaves)));
    assert.ok('faults' in compiled);
    assert.match(compiled.faults[0]?.message ?? '', /compiling needs more than 16 MB/);
  });

  it('caches results, up to the maximum number', async () => {
    workers = new YangWorkers({ kept: 1 });
    const first = workers.compile(job(yang11('a', '')));
    assert.equal(workers.compile(job(yang11('a', ''))), first);
    void workers.compile(job(yang11('b', '')));
    assert.notEqual(workers.compile(job(yang11('a', ''))), first);
    await first;
  });

  it('does not cache a result that a limit has ended', async () => {
    workers = new YangWorkers({ milliseconds: 1 });
    const first = workers.compile(job(ENDLESS));
    await first;
    assert.notEqual(workers.compile(job(ENDLESS)), first);
  });

  it('caches no more than the maximum number of bytes', async () => {
    workers = new YangWorkers({ keptBytes: 10 });
    const first = workers.compile(job(yang11('a', '')));
    await first;
    assert.notEqual(workers.compile(job(yang11('a', ''))), first);
  });

  it('names files of a folder without their path', async () => {
    const folder = temporaryFolder().path;
    writeFileSync(join(folder, 't.yang'), 'module t {');
    workers = new YangWorkers();
    const compiled = await workers.compile(job(asModule('import t { prefix t; }'), [folder]));
    assert.ok('faults' in compiled);
    assert.ok(compiled.faults.every(({ file }) => file === 't.yang'));
  });

  it('ends waiting compilations with faults when it is closed', async () => {
    workers = new YangWorkers({ threads: 1 });
    const jobs = ['a', 'b'].map((name) =>
      workers.compile(job(ENDLESS.replace('module m', `module ${name}`))),
    );
    await workers.close();
    for (const compilation of jobs) assert.ok('faults' in (await compilation));
  });

  it('refuses more than the maximum number of waiting compilations', async () => {
    workers = new YangWorkers({ threads: 1, waiting: 1, milliseconds: 200 });
    const jobs = ['a', 'b', 'c'].map((name) =>
      workers.compile(job(ENDLESS.replace('module m', `module ${name}`))),
    );
    const refused = await jobs[2];
    assert.ok(refused && 'faults' in refused);
    assert.match(refused.faults[0]?.message ?? '', /too many compilations wait/);
    await Promise.all(jobs);
  });
});
