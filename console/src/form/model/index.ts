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
  ValidationResult,
} from './types.js';
export { childOf, jsonAt, parentPointer } from './json/json.js';
export { pointerIn } from './json/align-lists.js';
export { isList, isMembers, type Json, type JsonList, type JsonMembers, WrittenNumber } from './json/json.js';
export { isSecretEditor } from './field/editor.js';
export { labelOf } from './field/options.js';
export { jsonFrom, plainValue, sameJson } from './json/json.js';
export { readJson } from './json/json-text.js';
export { writeJson } from './json/json-text.js';
export type { PatchOperation } from './json/patch.js';
export type { Conflict } from './json/three-way.js';
export type { FormState } from './state/form-state.js';
export { openForm, withLoadedSubtrees } from './state/open-form.js';
export { freeWordsOf } from './rows/query.js';
export { leftOutInOpenRows, leftOutOfValues } from './rows/rows-of.js';
export { applyEdit, isUnchanged } from './state/apply-edit.js';
export { changesAgainst, changesOf, titlesTo } from './state/changes.js';
export { withoutSecrets } from './exchange/exports.js';
export { revertChange } from './state/changes.js';
export { canRedo, canUndo, redo, undo } from './state/history.js';
export { valueFromText } from './state/values.js';
export { findRows, rowAt, rowsOf } from './rows/rows-of.js';
export { hasAtMostFields, type Layout, layoutOf, type Section } from './rows/layout.js';
export { isDate, localOffset, type ZonedTime, zonedText, zonedTimeOf } from './field/date-time.js';
export { closeAll, openAll, openAsForm, reveal, withFilter, withOpen } from './rows/open-rows.js';
export { type ErrorFacts, errorFactsOf } from './check/error-list.js';
export { checkAll, checkAt, schemaFaults, validationResultOf, withServerErrors } from './check/check.js';
export { needsEngine } from './completion/rules.js';
export { prepareChecks, prepareSearch } from './check/check.js';
export { runInSlices, runSlice, type Slices } from './slices.js';
export { engineReady, isEngineReady } from './field/engine.js';
export { errorGroups, errorsOf, nextError, rowIdOf } from './check/error-list.js';
export { documentText, jsonPatch, mergePatch } from './exchange/exports.js';
export { yangDocument } from './exchange/exports.js';
export { type Pasted, type PasteProblem, paste } from './exchange/paste.js';
export { type CsvColumn, csvColumns, csvToList, isCsvFor, listToCsv } from './exchange/csv.js';
export { draftOf, type OpenedDraft, type MergedDraft, withDraft, withLoaded } from './exchange/draft.js';
export { holdsSecret } from './exchange/draft.js';
export { type BoundQuery, boundQueries, type DependedValues } from './exchange/bindings.js';
export { defaultFrom, withDefault } from './exchange/bindings.js';
export { bindingsOf, type FormBinding, optionsFrom, withOptions } from './exchange/bindings.js';
