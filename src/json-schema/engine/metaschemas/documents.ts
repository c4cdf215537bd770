import type { JsonObject } from '../../../core/json-object.js';
import { DRAFT_04_DOCUMENTS } from './draft-04.js';
import { DRAFT_06_DOCUMENTS } from './draft-06.js';
import { DRAFT_07_DOCUMENTS } from './draft-07.js';
import { DRAFT_2019_09_VALUE_DOCUMENTS } from './draft-2019-09-values.js';
import { DRAFT_2019_09_DOCUMENTS } from './draft-2019-09.js';
import { DRAFT_2020_12_VALUE_DOCUMENTS } from './draft-2020-12-values.js';
import { DRAFT_2020_12_DOCUMENTS } from './draft-2020-12.js';

/** Meta-schemas of all drafts by URI, without a trailing `#`. */
export const METASCHEMAS: ReadonlyMap<string, JsonObject> = new Map(
  [
    ...DRAFT_04_DOCUMENTS,
    ...DRAFT_06_DOCUMENTS,
    ...DRAFT_07_DOCUMENTS,
    ...DRAFT_2019_09_DOCUMENTS,
    ...DRAFT_2019_09_VALUE_DOCUMENTS,
    ...DRAFT_2020_12_DOCUMENTS,
    ...DRAFT_2020_12_VALUE_DOCUMENTS,
  ].map((document) => [uriOf(document as JsonObject), document as JsonObject]),
);

function uriOf({ $id, id }: JsonObject): string {
  return String($id ?? id).replace(/#$/, '');
}
