import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LogLevels } from '../../../src/core/log-levels.js';
import type { LogFields } from '../../../src/core/log.js';
import { openLog } from '../../../src/telemetry/log/open-log.js';
import { collectingStream } from '../../support/collecting-stream.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

type ComponentLevels = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Returns log levels with the levels of these adapters and applications. */
function levels(base: string, adapter: ComponentLevels = {}, application: ComponentLevels = {}): LogLevels {
  const components = {
    adapter: new Map(Object.entries(adapter)),
    application: new Map(Object.entries(application)),
  };
  return { base, components } as unknown as LogLevels;
}

/**
 * Opens a log on a stream and optionally a file; `closedMessages` closes the log and returns the messages of each
 * output.
 */
function open({ level = 'info', withFile = false }: { level?: 'info' | 'warn'; withFile?: boolean } = {}) {
  const file = withFile ? join(temporaryFolder().path, 'gatehouse.log') : null;
  const { stream, lines } = collectingStream();
  const { log, setLevels, close } = openLog(
    { level, format: 'json', file, rotation: null, syslog: null },
    { stream },
  );
  const messageOf = (line: string): string => (JSON.parse(line) as { message: string }).message;
  const closedMessages = async () => {
    await close();
    const written = file === null ? [] : readFileSync(file, 'utf8').trim().split('\n');
    return { console: lines().map(messageOf), file: written.filter(Boolean).map(messageOf) };
  };
  return { log, setLevels, closedMessages };
}

describe('log levels', () => {
  it('change at run time, for child logs too', async () => {
    const { log, setLevels, closedMessages } = open({ level: 'warn' });
    const child = log.with({ adapter: 'nso1' });
    child.info('not yet');
    setLevels(levels('spam'));
    child.spam('now');
    setLevels(levels('error'));
    child.warn('no more');
    assert.deepEqual((await closedMessages()).console, ['now']);
  });

  it('of an adapter apply only to its lines, until they are removed', async () => {
    const { log, setLevels, closedMessages } = open();
    const nso1 = log.with({ adapter: 'nso1' }).with({ attempt: 1 });
    setLevels(levels('info', { nso1: { console: 'debug' }, nso2: { console: 'error' } }));
    nso1.debug('of nso1');
    log.debug('also of nso1', { adapter: 'nso1' });
    log.debug('of none');
    log.warn('of nso2', { adapter: 'nso2' });
    log.warn('of an adapter without levels', { adapter: 'nso3' });
    setLevels(levels('info'));
    nso1.debug('of nso1, later');
    const expected = ['of nso1', 'also of nso1', 'of an adapter without levels'];
    assert.deepEqual((await closedMessages()).console, expected);
  });

  it('of an application apply to its lines, except for lines about an adapter with levels', async () => {
    const { log, setLevels, closedMessages } = open();
    setLevels(levels('info', { nso1: { console: 'info' } }, { Tools: { console: 'error' } }));
    log.info('of Tools', { application: 'Tools' });
    log.info('of nso1', { application: 'Tools', adapter: 'nso1' });
    log.info('of Tools, about nso2', { application: 'Tools', adapter: 'nso2' });
    log.info('of JsonForms', { application: 'JsonForms' });
    assert.deepEqual((await closedMessages()).console, ['of nso1', 'of JsonForms']);
  });

  it('of an adapter do not apply to an application of the same name', async () => {
    const { log, setLevels, closedMessages } = open();
    setLevels(levels('info', { Tools: { console: 'error' } }));
    log.info('of the application', { application: 'Tools' });
    log.info('of the adapter', { adapter: 'Tools' });
    assert.deepEqual((await closedMessages()).console, ['of the application']);
  });

  it('apply to each output separately', async () => {
    const { log, setLevels, closedMessages } = open({ withFile: true });
    const nso1 = log.with({ adapter: 'nso1' });
    setLevels(levels('info', { nso1: { console: 'error', file: 'debug' }, nso2: { file: 'error' } }));
    nso1.error('error of nso1');
    nso1.debug('debug of nso1');
    nso1.spam('spam of nso1');
    log.info('info of nso2', { adapter: 'nso2' });
    assert.deepEqual(await closedMessages(), {
      console: ['error of nso1', 'info of nso2'],
      file: ['error of nso1', 'debug of nso1'],
    });
  });

  it('for absent outputs have no effect: a line without an output is not serialized', async () => {
    const { log, setLevels, closedMessages } = open();
    setLevels(levels('error', { nso1: { file: 'spam', syslog: 'spam' } }));
    let serializations = 0;
    const fields = { adapter: 'nso1', costly: { toJSON: () => (serializations += 1) } };
    log.debug('for a file', fields);
    log.error('for all', fields);
    assert.deepEqual([(await closedMessages()).console, serializations], [['for all'], 1]);
  });

  it('never make a log call throw, whatever its fields are', async () => {
    const { log, setLevels, closedMessages } = open();
    setLevels(levels('info', { nso1: { console: 'error' } }, { Tools: { console: 'error' } }));
    const boom = (): never => {
      throw new Error('boom');
    };
    const hostile = [
      new Proxy({}, { get: boom, ownKeys: boom }),
      Object.defineProperty({}, 'adapter', { get: boom, enumerable: true }),
      { adapter: ['nso1'], application: null },
      { adapter: '__proto__' },
    ] as readonly LogFields[];
    for (const fields of hostile) log.info('said', fields);
    assert.equal((await closedMessages()).console.length, hostile.length);
  });
});
