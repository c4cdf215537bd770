import assert from 'node:assert/strict';
import { openAll, openForm, rowsOf } from '../../../console/src/form/model/index.js';
import { asModule, compileText } from '../../support/yang.js';

const TEXT =
  asModule(`grouping g { container port { leaf b { type string; } choice way { case one { leaf x { type string; } } case two { leaf y { type string; } } }
   leaf mode { type enumeration { enum on { description "Forwards"; } enum off; } } } }
   container left { uses g; } container right { uses g; }`);

describe('a form with ui:definitions', () => {
  const { schema, uiSchema } = compileText(TEXT);

  it('shows the choices of a definition wherever it is used', () => {
    assert.ok(Object.hasOwn(uiSchema, 'ui:definitions'));
    const { rows } = rowsOf(openAll(openForm({ schema, uiSchema })));
    const found = rows.map(({ id }) => id).filter((id) => id.includes('~choice'));
    assert.deepEqual(found, ['/m:left/port/~choice:way', '/m:right/port/~choice:way']);
  });

  it('lets the uiSchema of a location go before that of the definition', () => {
    const own = { ...uiSchema, 'm:left': { port: { b: { 'ui:title': 'Own title' } } } };
    const { rows } = rowsOf(openAll(openForm({ schema, uiSchema: own })));
    const titleOf = (id: string) => rows.find((row) => row.id === id)?.title;
    assert.deepEqual([titleOf('/m:left/port/b'), titleOf('/m:right/port/b')], ['Own title', 'b']);
  });
});
