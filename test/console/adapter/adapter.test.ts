import assert from 'node:assert/strict';
import type { LogLine, LogReply } from '../../../console/src/api/observe.js';
import { documentText, isChanged } from '../../../console/src/pages/adapter/adapter-entry.js';
import {
  requestFaults,
  initialRequest,
  permittedMethods,
  requestOf,
} from '../../../console/src/pages/adapter/try-request.js';
import {
  asJsonLines,
  asText,
  formatFields,
  matchingLines,
  MAX_LINES,
  EMPTY_TAIL,
  withReply,
} from '../../../console/src/pages/log/log-lines.js';
import { column } from '../../support/columns.js';

describe('the request form of the adapter page', () => {
  const trial = { ...initialRequest('http-rest'), path: '/data' };

  it('sends a query with the path and the media type', () => {
    assert.deepEqual(requestOf('core 1', trial), {
      method: 'POST',
      path: '/orchestrator_manager/restQuery/core%201',
      body: { params: { path: '/data', accept: 'application/json' } },
    });
  });

  it('sends the body of an action verbatim, and {} when the body is empty', () => {
    const { json } = requestOf('core1', { ...trial, method: 'PUT', body: '{"n": 18446744073709551615}' });
    assert.equal(
      json,
      '{"params":{"path":"/data","accept":"application/json","method":"PUT","responseBody":true,"contentType":"application/json"},"body":{"n": 18446744073709551615}}',
    );
    const none = requestOf('core1', { ...trial, method: 'DELETE', body: ' ' });
    assert.match(none.json ?? '', /"method":"DELETE","responseBody":true\},"body":\{\}\}$/);
  });

  it('offers permitted methods only, and names the invalid fields', () => {
    const methods = permittedMethods((operation) => operation === 'restQuery');
    assert.deepEqual(methods, ['QUERY']);
    assert.deepEqual(requestFaults(trial), {});
    const faults = requestFaults({ ...trial, path: 'x', method: 'POST', body: '[' });
    assert.deepEqual(Object.keys(faults), ['path', 'body']);
  });
});

describe('the log of the adapter page', () => {
  const line = (id: number): LogLine => ({
    id,
    at: id,
    level: 'info',
    message: `line ${id}`,
    fields: { n: id },
  });
  const more = { missed: false, writtenLevel: 'info', hint: null } as const;
  const reply = (ids: readonly number[], next: number): LogReply => ({ lines: ids.map(line), next, ...more });

  it('appends new lines, keeps the latest MAX_LINES, and remembers that lines were missed', () => {
    const first = withReply(EMPTY_TAIL, { ...reply([1, 2], 3), missed: true });
    const second = withReply(first, reply([2, 3], 4));
    assert.deepEqual(column(second.lines, 'id'), [1, 2, 3]);
    assert.ok(second.missed);
    assert.equal(withReply(second, reply([], 4)).lines, second.lines);
    const ids = Array.from({ length: MAX_LINES }, (_, i) => i + 10);
    const full = withReply(second, reply(ids, 9999));
    assert.equal(full.lines.length, MAX_LINES);
    assert.equal(full.lines[0]?.id, 10);
  });

  it('filters lines by message and fields', () => {
    const found = formatFields({ adapter: 'a', status: 200, root: '/r' }, ['adapter']);
    assert.equal(found, 'status=200 root="/r"');
    assert.equal(matchingLines([line(1), line(2)], 'LINE n=2').length, 1);
  });

  it('extracts the settings document with all digits of its numbers', () => {
    const text = '{"metadata":{"isActive":true,"activeSync":true},"data":{"n":12345678901234567890,"o":{}}}';
    assert.equal(documentText(text), '{"n":12345678901234567890,"o":{}}');
  });

  it('extracts the settings document beside a change that waits for its confirmation', () => {
    const pending = '"pending":{"by":"ada","data":{"x":1},"reason":"a \\"data\\": } \\\\","until":9}';
    const document = '{"n":12345678901234567890,"text":"} \\" ]\\\\","data":[{"o":{}}]}';
    const metadata = '"metadata":{"isActive":true,"of":"data"}';
    assert.equal(documentText(`{${metadata},"data":${document},${pending}}`), document);
    assert.equal(documentText(`{${metadata},${pending},"data": ${document} }`), document);
  });

  it('does not take a document for changed because of its white space', () => {
    const entry = '{"metadata":{},"data":{"n":12345678901234567890,"o":[1]}}';
    assert.equal(isChanged('{ "n": 12345678901234567890,\n "o": [ 1 ] }', entry), false);
    assert.equal(isChanged('{"n":12345678901234567891,"o":[1]}', entry), true);
    assert.equal(isChanged('{"n":', entry), true);
  });
});

describe('the download of the log', () => {
  const fields = { adapter: 'core1', attempt: 2 };
  const line: LogLine = { id: 1, at: 0, level: 'warn', message: 'call is retried', fields };

  it('is text with times in UTC, or JSON lines as in the log file', () => {
    const text = '1970-01-01T00:00:00.000Z warn  call is retried adapter="core1" attempt=2\n';
    assert.equal(asText([line]), text);
    const { level, message } = line;
    const written = { time: '1970-01-01T00:00:00.000Z', level, message, ...fields };
    assert.deepEqual(JSON.parse(asJsonLines([line])), written);
  });
});
