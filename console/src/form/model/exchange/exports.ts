import { patchBetween, type PatchOperation } from '../json/json-patch.js';
import type { Json } from '../json/json.js';
import { mergePatchBetween } from '../json/merge-patch.js';
import { writeJson } from '../json/write-json.js';
import type { FormState } from '../state/form-state.js';

/** Returns the document as JSON. Without an indent, unedited parts are byte for byte as they were loaded. */
export function documentText({ data }: FormState, indent = 0): string {
  return data === undefined ? '' : writeJson(data, indent);
}

/** Returns the edits as a JSON Patch (RFC 6902). */
export function jsonPatch({ loaded, data, form }: FormState): readonly PatchOperation[] {
  if (data === undefined) return loaded === undefined ? [] : [{ op: 'remove', path: '' }];
  return loaded === undefined
    ? [{ op: 'add', path: '', value: data }]
    : patchBetween({ before: loaded, after: data }, form.root);
}

/**
 * Returns the edits as a JSON merge patch (RFC 7396); undefined if a member becomes null, which a merge patch
 * cannot express.
 */
export function mergePatch({ loaded, data }: FormState): Json | undefined {
  return mergePatchBetween(loaded ?? null, data ?? {});
}
