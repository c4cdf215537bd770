import { formBindings } from '../../form-model/form-binding.js';
import { SchemaIndex } from '../../form-model/schema-index.js';
import { jsonText } from '../../json/write-json.js';
import { BoundedMap } from '../../lib/bounded-map.js';
import type { SchemaIndexes } from '../tasks/deps.js';

/** Length of a schema and its uiSchema as JSON, in characters, from which a page may load it in parts. */
export const MIN_DIVIDED_LENGTH = 500_000;

/** Maximum number of schemas in memory, and their maximum length as JSON, in characters. */
const LIMITS = { maxEntries: 4, maxWeight: 32_000_000 };

/** Creates the indexes of large schemas. The schemas that were used last stay in memory, because a task never changes its schema. */
export function createSchemaIndexes(): SchemaIndexes {
  const indexes = new BoundedMap<string, SchemaIndex>(LIMITS);
  return {
    known: (id) => indexes.get(id),
    of({ id, schema, uiSchema, bindingSchema }) {
      const length = jsonText(schema).length + jsonText(uiSchema).length;
      // The queries of a binding depend on fields anywhere in the form.
      if (length < MIN_DIVIDED_LENGTH || formBindings(bindingSchema).length > 0) return undefined;
      const index = SchemaIndex.of({ schema, uiSchema });
      if (index) indexes.set(id, index, length);
      return index;
    },
  };
}
