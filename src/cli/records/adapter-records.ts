import { type AdapterDocument, writtenDocument } from '../../core/adapter-document.js';
import { isJsonObject, type JsonObject } from '../../json/json-object.js';
import { componentRecords } from './component-records.js';
import type { RecordKind } from './record-kind.js';

/** Prefix of the plugins of the product in replies; requests may leave it out. */
const OWN_MODEL = /^@gatehouse\/adapter-/;

/** Adapters that were registered through the API. */
export const adapterRecords: RecordKind = {
  folder: 'adapters',
  title: 'adapter',
  nameMember: 'name',
  complete: ['/properties/properties', '/properties/brokers', '/properties/groups', '/properties/tags'],
  normalize({ model, ...rest }) {
    return { ...rest, ...(typeof model === 'string' && { model: model.replace(OWN_MODEL, '') }) };
  },
  // The levels in loggerProps are state of the server: they may be set for a time.
  written: (value) =>
    isAdapterDocument(value)
      ? (writtenDocument({
          ...value,
          model: value.model.replace(OWN_MODEL, ''),
          loggerProps: {},
        }) as JsonObject)
      : value,
  ...componentRecords({ path: '/adapters', member: 'data', nameMember: 'name' }),
};

function isAdapterDocument(value: JsonObject): value is JsonObject & AdapterDocument {
  const { model, properties } = value;
  return (
    typeof model === 'string' &&
    isJsonObject(properties) &&
    Array.isArray(properties['brokers']) &&
    Array.isArray(properties['groups'])
  );
}
