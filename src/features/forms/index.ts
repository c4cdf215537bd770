import type { Clock } from '../../lib/clock.js';
import type { ActiveSnapshot } from '../../server/state/snapshot.js';
import type { SnapshotHolder } from '../../server/state/swap.js';
import { createRecordIds } from '../lib/record-ids.js';
import type { Store } from '../store.js';
import type { JsonFormsDeps } from './deps.js';
import { createLargeForms } from './large-forms.js';

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
