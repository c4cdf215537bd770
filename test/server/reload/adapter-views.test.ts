import assert from 'node:assert/strict';
import { adapterViews } from '../../../src/server/reload/adapter-directory.js';
import { openRuntime, recordOf } from '../../support/adapter-runtime.js';

type Document = ReturnType<typeof recordOf>['document'];

/** What another version, or another program, may have left in the database. */
const STRANGE: Readonly<Record<string, Document>> = {
  nothing: {},
  'no settings': { name: 'a', model: 'recording', properties: null },
  texts: { model: 7, properties: { brokers: 'device', groups: 'g', properties: 'x' }, loggerProps: 'x' },
  'no levels': { ...recordOf('a').document, loggerProps: null },
};

describe('adapters as clients see them', () => {
  for (const [what, document] of Object.entries(STRANGE))
    it(`are all listed though the database holds a strange one: ${what} (bug: every list failed)`, async () => {
      const house = await openRuntime({ records: [recordOf('good'), { ...recordOf('a'), document }] });
      const views = adapterViews(house.current.current());
      await house.close();
      assert.deepEqual(views.map(({ document: { name } }) => name), ['good', 'a']); // prettier-ignore
      for (const { document: shown } of views) {
        assert.ok(Array.isArray(shown.properties.brokers));
        assert.equal(typeof shown.properties.properties, 'object');
      }
    });

  it('have settings of the log for syslog where a text stood (bug: each character became a member)', async () => {
    const record = recordOf('a');
    const document = { ...record.document, loggerProps: { syslog: 'x'.repeat(9) } };
    const house = await openRuntime({ records: [{ ...record, document }] });
    const [view] = adapterViews(house.current.current());
    await house.close();
    assert.deepEqual(view?.document.loggerProps['syslog'], { level: 'info' });
  });
});
