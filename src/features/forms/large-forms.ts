import type { Form, FormStore } from '../../core/form.js';
import { formBindings } from '../../form-model/form-binding.js';
import { SchemaIndex } from '../../form-model/schema-index.js';
import { isJsonObject, ownMember } from '../../json/json-object.js';
import { readStoredJson } from '../../json/strict-json.js';
import { BoundedMap } from '../../lib/bounded-map.js';
import type { LargeForm, LargeForms } from './deps.js';
import { MIN_DIVIDED_LENGTH } from './schema-indexes.js';

/** Maximum number of forms in memory, and their maximum length as JSON, in characters. */
const LIMITS = { maxEntries: 4, maxWeight: 32_000_000 };

/** Creates the large forms of a store. The forms that were used last stay in memory. */
export function createLargeForms(store: FormStore): LargeForms {
  const known = new BoundedMap<string, LargeForm>(LIMITS);
  return {
    async find(key) {
      const revisions = await store.revisions(key);
      if (!revisions) return undefined;
      // A document read below may be newer than its revision here. No later request has that revision.
      const version = `${revisions.id} ${revisions.current}`;
      const found = known.get(version);
      if (found) return found;
      const whole = await store.find(revisions.id);
      const large = whole && largeFormOf(whole.json);
      if (!large) return whole;
      known.set(version, large, whole.json.length);
      return large;
    },
  };
}

function largeFormOf(json: string): LargeForm | undefined {
  if (json.length < MIN_DIVIDED_LENGTH) return undefined;
  const { schema, uiSchema, ...form } = readStoredJson(json) as Form;
  // The queries of a binding depend on fields anywhere in the form.
  if (!isFromYang(schema) || formBindings(form.bindingSchema).length > 0) return undefined;
  const index = SchemaIndex.of({ schema, uiSchema });
  return index && { form, bytes: Buffer.byteLength(json), index };
}

/** Returns true for a schema that was compiled from YANG modules: a change of the modules changes it, not an editor. */
function isFromYang(schema: unknown): boolean {
  return isJsonObject(ownMember(schema, 'x-yang'));
}
