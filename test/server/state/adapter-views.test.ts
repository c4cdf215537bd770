import assert from 'node:assert/strict';
import { adapterViews } from '../../../src/features/adapters/adapter-directory.js';
import { openRuntime, recordOf } from '../../support/adapter-runtime.js';

type Document = ReturnType<typeof recordOf>['document'];

/** Documents that another version or another program may have stored in the database. */
const MALFORMED: Readonly<Record<string, Document>> = {
  'an empty document': {},
  'no settings': { name: 'a', model: 'recording', properties: null },
  'strings instead of objects': {
    model: 7,
    properties: { brokers: 'device', groups: 'g', properties: 'x' },
    loggerProps: 'x',
  },
  'no log levels': { ...recordOf('a').document, loggerProps: null },
};

describe('adapterViews', () => {
  for (const [what, document] of Object.entries(MALFORMED))
    it(`lists all adapters even if the database contains a malformed document: ${what} (bug: every list failed)`, async () => {
      const runtime = await openRuntime({ records: [recordOf('good'), { ...recordOf('a'), document }] });
      const views = adapterViews(runtime.current.current(), { types: [] });
      await runtime.close();
      assert.deepEqual(views.map(({ document: { name } }) => name), ['good', 'a']); // prettier-ignore
      for (const { document: viewDocument } of views) {
        assert.ok(Array.isArray(viewDocument.properties.brokers));
        assert.equal(typeof viewDocument.properties.properties, 'object');
      }
    });

  it('replaces a string by default syslog settings (bug: each character became a member)', async () => {
    const record = recordOf('a');
    const document = { ...record.document, loggerProps: { syslog: 'x'.repeat(9) } };
    const runtime = await openRuntime({ records: [{ ...record, document }] });
    const [view] = adapterViews(runtime.current.current(), { types: [] });
    await runtime.close();
    assert.deepEqual(view?.document.loggerProps['syslog'], { level: 'info' });
  });
});
