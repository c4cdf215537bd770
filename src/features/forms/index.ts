import { formBindings } from '../../form-model/form-binding.js';
import { SchemaIndex } from '../../form-model/schema-index.js';
import { isJsonObject, ownMember } from '../../json/json-object.js';
import { readStoredJson } from '../../json/strict-json.js';
import { BoundedMap } from '../../lib/bounded-map.js';
import type { Clock } from '../../lib/clock.js';
import type { ActiveSnapshot } from '../../server/state/snapshot.js';
import type { SnapshotHolder } from '../../server/state/swap.js';
import { createRecordIds } from '../lib/record-ids.js';
import type { Store } from '../store.js';
import type { JsonFormsDeps, LargeForm, LargeForms } from './deps.js';
import type { Form, FormStore } from './form-store.js';
import { MIN_DIVIDED_LENGTH } from './schema-indexes.js';

interface FormsInput {
  readonly current: SnapshotHolder<ActiveSnapshot>;
  readonly store: Store;
  readonly clock: Clock;
}

/** Returns the store of forms, its limits and its id generator. */
export function formsOf({
  current,
  store,
  clock,
}: FormsInput): Pick<JsonFormsDeps, 'forms' | 'largeForms' | 'formLimits' | 'newFormId'> {
  return {
    forms: store.forms,
    largeForms: createLargeForms(store.forms),
    formLimits: () => current.current().forms,
    newFormId: createRecordIds(clock),
  };
}

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
