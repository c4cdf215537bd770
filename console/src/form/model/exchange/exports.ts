import { patchBetween, type PatchOperation } from '../json/json-patch.js';
import type { Json } from '../json/json.js';
import { mergePatchBetween } from '../json/merge-patch.js';
import { writeJson } from '../json/write-json.js';
import type { FormState } from '../state/form-state.js';

/** The document as JSON. Without an indent, what was not edited comes out byte for byte as it was loaded. */
export function documentText({ data }: FormState, indent = 0): string {
  return data === undefined ? '' : writeJson(data, indent);
}

/** The edits as a JSON Patch (RFC 6902). */
export function jsonPatch({ loaded, data, form }: FormState): readonly PatchOperation[] {
  if (data === undefined) return loaded === undefined ? [] : [{ op: 'remove', path: '' }];
  return loaded === undefined
    ? [{ op: 'add', path: '', value: data }]
    : patchBetween({ before: loaded, after: data }, form.root);
}

/** The edits as a JSON merge patch (RFC 7396); undefined when a member is to be null, which such a patch cannot say. */
export function mergePatch({ loaded, data }: FormState): Json | undefined {
  return mergePatchBetween(loaded ?? null, data ?? {});
}
