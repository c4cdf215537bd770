import { isJsonObject, type JsonObject } from '../../../../src/json/json-object.js';
import { pointerTo } from '../../../../src/json/pointer.js';
import { branchesOf, memberOf } from '../branches.js';
import { text } from '../designer-text.js';
import type { FormDraft } from '../draft.js';
import { fieldAt, placeOf, uiPointerOf } from '../field-location.js';
import { objectAt, textsAt } from '../json-edit.js';
import { eachSchema, fault, type Finding, type Rule, warning } from './each-schema.js';

/** Reports fields without a title in the schema or the uiSchema. */
export const missingLabels: Rule = (draft) => {
  const findings = [...untitledFields(draft)];
  const [first] = findings;
  if (!first || findings.length <= MAX_LABEL_FINDINGS) return findings;
  return [warning({ pointer: first.pointer, message: text('lint.noTitles', { count: findings.length }) })];
};

/** Maximum number of fields without a title that are reported individually; more are reported as a count. */
const MAX_LABEL_FINDINGS = 20;

function* untitledFields({ schema, uiSchema }: FormDraft): Iterable<Finding> {
  for (const [part, pointer] of eachSchema(schema)) {
    const place = placeOf(pointer);
    if (!place || isFilledText(part['title']) || typeof part['$ref'] === 'string') continue;
    const ui = uiPointerOf(pointer);
    if (ui !== undefined && isFilledText(objectAt(uiSchema, ui)['ui:title'])) continue;
    if (!isInRule(pointer))
      yield warning({ pointer, field: pointer, message: text('lint.noTitle', { name: place.name }) });
  }
}

function isFilledText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

/** Returns true for a location inside `if`, `not` or an alternative, where fields need no title. */
function isInRule(pointer: string): boolean {
  return /\/(?:if|then|else|not|allOf|anyOf|oneOf|dependentSchemas|dependencies)\//.test(pointer);
}

/** Reports required names without a field, so that the user cannot set them. */
export const unknownRequired: Rule = function* ({ schema }) {
  for (const [part, pointer] of eachSchema(schema)) {
    const names = Object.keys(objectAt(part, '/properties'));
    if (isInRule(`${pointer}/`) || names.length === 0) continue;
    for (const [at, name] of textsAt(part, '/required').entries()) {
      if (names.includes(name) || isDescribedInBranch(part, name)) continue;
      yield fault({
        pointer: pointerTo(`${pointer}/required`, at),
        field: pointer,
        message: text('lint.unknownRequired', { name }),
      });
    }
  }
};

function isDescribedInBranch(schema: JsonObject, name: string): boolean {
  return ['allOf', 'anyOf', 'oneOf'].some((keyword) => {
    const list = schema[keyword];
    return (
      Array.isArray(list) &&
      list.some(
        (branch: unknown) => isJsonObject(branch) && Object.hasOwn(objectAt(branch, '/properties'), name),
      )
    );
  });
}

/** Reports fields that are never shown, keywords without effect, and unused definitions. */
export const unreachableFields: Rule = function* ({ schema }) {
  for (const [part, pointer] of eachSchema(schema))
    for (const message of deadKeywords(part)) yield fault({ pointer, field: pointer, message });
  yield* unusedDefinitions(schema);
};

function* deadKeywords(part: JsonObject): Iterable<string> {
  const { type } = part;
  const hasFields = Object.keys(objectAt(part, '/properties')).length > 0;
  if (hasFields && typeof type === 'string' && type !== 'object')
    yield text('lint.fieldsUnreachable', { type });
  if (isJsonObject(part['items']) && typeof type === 'string' && type !== 'array')
    yield text('lint.entriesUnreachable', { type });
  if (!Object.hasOwn(part, 'if') && (Object.hasOwn(part, 'then') || Object.hasOwn(part, 'else')))
    yield text('lint.thenWithoutIf');
}

function* unusedDefinitions(schema: JsonObject): Iterable<Finding> {
  const used = new Set<string>();
  for (const [{ $ref }] of eachSchema(schema)) if (typeof $ref === 'string') used.add($ref);
  const isUsed = (pointer: string): boolean =>
    [...used].some((ref) => ref === `#${pointer}` || ref.startsWith(`#${pointer}/`) || !ref.startsWith('#/'));
  for (const keyword of ['$defs', 'definitions'])
    for (const name of Object.keys(objectAt(schema, `/${keyword}`))) {
      const pointer = pointerTo(`/${keyword}`, name);
      if (!isUsed(pointer))
        yield warning({ pointer, field: pointer, message: text('lint.unusedDefinition') });
    }
}

/** Reports conditions that test a field that does not exist: they never change. */
export const unknownTests: Rule = function* ({ schema }) {
  for (const [, pointer] of eachSchema(schema)) {
    // The condition of this part tests the fields of the object around it.
    if (/\/allOf\/\d+$/.test(pointer)) continue;
    for (const { at, container, condition } of branchesOf(schema, pointer)) {
      if (memberOf(schema, pointer, condition.field)) continue;
      const [shown] = Object.keys(objectAt(schema, `${container}/properties`));
      yield fault({
        pointer: at,
        field: shown === undefined ? pointer : fieldAt(container, shown),
        message: text('lint.unknownTest', { name: condition.field }),
      });
    }
  }
};

const BOUNDS = [
  ['minimum', 'maximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
] as const;

/** Reports minimums that are greater than their maximums. */
export const emptyRanges: Rule = function* ({ schema }) {
  for (const [part, pointer] of eachSchema(schema))
    for (const [lower, upper] of BOUNDS) {
      const [minimum, maximum] = [part[lower], part[upper]];
      if (typeof minimum !== 'number' || typeof maximum !== 'number' || minimum <= maximum) continue;
      const limits = { lower, upper, minimum: String(minimum), maximum: String(maximum) };
      yield fault({
        pointer: `${pointer}/${lower}`,
        field: pointer,
        message: text('lint.emptyRange', limits),
      });
    }
};
