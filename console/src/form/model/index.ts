export type {
  AddableMembers,
  Alternatives,
  BoundOptions,
  Change,
  Condition,
  Edit,
  Editor,
  ErrorGroup,
  FormOptions,
  FormRows,
  FormSource,
  ListFacts,
  Option,
  OptionSource,
  Row,
  RowError,
  RowKind,
  RowState,
  ValidationResult as Verdict,
} from './types.js';
export { isList, type Json, type JsonList, type JsonMembers, WrittenNumber } from './json/json.js';
export { labelOf } from './field/options.js';
export { jsonFrom, plainValue } from './json/plain-value.js';
export { readJson } from './json/read-json.js';
export { writeJson } from './json/write-json.js';
export type { PatchOperation } from './json/json-patch.js';
export type { Conflict } from './json/three-way.js';
export { type FormState, openForm } from './state/form-state.js';
export { applyEdit, isUnchanged } from './state/apply-edit.js';
export { changesOf } from './state/changes.js';
export { revertChange } from './state/revert-change.js';
export { canRedo, canUndo, redo, undo } from './state/history.js';
export { valueFromText } from './state/value-from-text.js';
export { rowAt, rowsOf } from './rows/rows-of.js';
export { closeAll, openAll, reveal, withFilter, withOpen } from './rows/open.js';
export { checkAll, checkAt, schemaFaults, validationResultOf, withServerErrors } from './check/check.js';
export { errorGroups, errorsOf, nextError, rowIdOf } from './check/error-list.js';
export { documentText, jsonPatch, mergePatch } from './exchange/exports.js';
export { yangDocument } from './exchange/yang-document.js';
export { type Pasted, type PasteProblem, paste } from './exchange/paste.js';
export { type CsvColumn, csvColumns, csvToList, listToCsv } from './exchange/csv.js';
export { draftOf, type OpenedDraft, type MergedDraft, withDraft, withLoaded } from './exchange/draft.js';
export { holdsSecret } from './exchange/secrets.js';
export { defaultFrom, withDefault } from './exchange/bound-defaults.js';
export { bindingsOf, type FormBinding, optionsFrom, withOptions } from './exchange/bindings.js';
