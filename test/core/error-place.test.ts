import assert from 'node:assert/strict';
import { errorPlace, firstPlace } from '../../src/core/error-place.js';

describe('errorPlace', () => {
  for (const [line, expected] of [
    ['at create (file:///srv/node_modules/@acme/nso/index.js:7:11)', '@acme/nso/index.js:7'],
    ['at /opt/gatehouse/dist/plugins/restconf/index.js:12:3', 'restconf/index.js:12'],
    ['at create (file:///home/ada/acme/index.mjs:1:1)', 'acme/index.mjs:1'],
    ['at file:///srv/node_modules/acme/index.js?changed=17.5:3:9', 'acme/index.js:3'],
    ['at file:///srv/my%20files/acme/index.js:3:9', 'acme/index.js:3'],
    ['at create (/srv/100%/acme/index.js:3:9)', 'acme/index.js:3'],
    ['at runMicrotasks (node:internal/process/task_queues:95:5)', undefined],
  ] as const)
    it(`names the place of ${line}`, () => {
      assert.equal(firstPlace(`Error: boom\n    ${line}`), expected);
    });

  it('names the file of a thrown error, and nothing for other values', () => {
    assert.match(errorPlace(new Error('boom')) ?? '', /^core\/error-place\.test\.[jt]s:\d+$/);
    assert.equal(errorPlace('boom'), undefined);
    assert.equal(errorPlace(Object.assign(new Error('boom'), { stack: undefined })), undefined);
  });
});
