import { isJsonObject, type JsonObject } from '../../../../src/json/json-object.js';
import { pointerTo } from '../../../../src/json/pointer.js';
import { textOf } from '../../text/text.js';
import { branchesOf, memberOf } from '../branches.js';
import { fieldAt, placeOf, uiPointerOf } from '../field-location.js';
import { objectAt, textsAt } from '../json-edit.js';
import { eachSchema, type Finding, type Rule } from './each-schema.js';

const text = textOf('designer');

/** Reports fields without a title in the schema or the uiSchema. */
export const missingLabels: Rule = ({ schema, uiSchema }) => {
  const findings: Finding[] = [];
  for (const [part, pointer] of eachSchema(schema)) {
    const place = placeOf(pointer);
    if (!place || isFilledText(part['title']) || typeof part['$ref'] === 'string') continue;
    const ui = uiPointerOf(pointer);
    if (ui !== undefined && isFilledText(objectAt(uiSchema, ui)['ui:title'])) continue;
    if (isInRule(pointer)) continue;
    findings.push({
      kind: 'warning',
      part: 'schema',
      pointer,
      field: pointer,
      message: text('lint.noTitle', { name: place.name }),
    });
  }
  return findings.length > MAX_LABEL_FINDINGS ? [labelSummary(findings)] : findings;
};

/** Maximum number of fields without a title that are reported individually; more are reported as a count. */
const MAX_LABEL_FINDINGS = 20;

function labelSummary([first, ...more]: readonly Finding[]): Finding {
  return {
    kind: 'warning',
    part: 'schema',
    pointer: first?.pointer ?? '',
    message: text('lint.noTitles', { count: more.length + 1 }),
  };
}

function isFilledText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

/** Returns true for a location inside `if`, `not` or an alternative, where fields need no title. */
function isInRule(pointer: string): boolean {
  return /\/(?:if|then|else|not|allOf|anyOf|oneOf|dependentSchemas|dependencies)\//.test(pointer);
}

/** Reports required names without a field, so that the user cannot set them. */
export const unknownRequired: Rule = ({ schema }) => {
  const findings: Finding[] = [];
  for (const [part, pointer] of eachSchema(schema)) {
    const names = Object.keys(objectAt(part, '/properties'));
    if (isInRule(`${pointer}/`) || names.length === 0) continue;
    textsAt(part, '/required').forEach((name, at) => {
      if (names.includes(name) || isDescribedInBranch(part, name)) return;
      findings.push({
        kind: 'error',
        part: 'schema',
        pointer: pointerTo(`${pointer}/required`, at),
        field: pointer,
        message: text('lint.unknownRequired', { name }),
      });
    });
  }
  return findings;
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
export const unreachableFields: Rule = ({ schema }) => {
  const findings: Finding[] = [];
  const report = (pointer: string, message: string): void => {
    findings.push({ kind: 'error', part: 'schema', pointer, field: pointer, message });
  };
  for (const [part, pointer] of eachSchema(schema)) {
    const { type } = part;
    const hasFields = Object.keys(objectAt(part, '/properties')).length > 0;
    if (hasFields && typeof type === 'string' && type !== 'object')
      report(pointer, text('lint.fieldsUnreachable', { type }));
    if (isJsonObject(part['items']) && typeof type === 'string' && type !== 'array')
      report(pointer, text('lint.entriesUnreachable', { type }));
    if (!Object.hasOwn(part, 'if') && (Object.hasOwn(part, 'then') || Object.hasOwn(part, 'else')))
      report(pointer, text('lint.thenWithoutIf'));
  }
  return [...findings, ...unusedDefinitions(schema)];
};

function unusedDefinitions(schema: JsonObject): readonly Finding[] {
  const used = new Set<string>();
  for (const [{ $ref }] of eachSchema(schema)) if (typeof $ref === 'string') used.add($ref);
  const isUsed = (pointer: string): boolean =>
    [...used].some((ref) => ref === `#${pointer}` || ref.startsWith(`#${pointer}/`) || !ref.startsWith('#/'));
  return ['$defs', 'definitions'].flatMap((keyword) =>
    Object.keys(objectAt(schema, `/${keyword}`))
      .map((name) => pointerTo(`/${keyword}`, name))
      .filter((pointer) => !isUsed(pointer))
      .map((pointer): Finding => ({
        kind: 'warning',
        part: 'schema',
        pointer,
        field: pointer,
        message: text('lint.unusedDefinition'),
      })),
  );
}

/** Reports conditions that test a field that does not exist: they never change. */
export const unknownTests: Rule = ({ schema }) => {
  const findings: Finding[] = [];
  for (const [, pointer] of eachSchema(schema)) {
    // The condition of this part tests the fields of the object around it.
    if (/\/allOf\/\d+$/.test(pointer)) continue;
    for (const { at, container, condition } of branchesOf(schema, pointer)) {
      if (memberOf(schema, pointer, condition.field)) continue;
      const shown = Object.keys(objectAt(schema, `${container}/properties`));
      findings.push({
        kind: 'error',
        part: 'schema',
        pointer: at,
        field: shown[0] === undefined ? pointer : fieldAt(container, shown[0]),
        message: text('lint.unknownTest', { name: condition.field }),
      });
    }
  }
  return findings;
};

const BOUNDS = [
  ['minimum', 'maximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
] as const;

/** Reports minimums that are greater than their maximums. */
export const emptyRanges: Rule = ({ schema }) => {
  const findings: Finding[] = [];
  for (const [part, pointer] of eachSchema(schema))
    for (const [lower, upper] of BOUNDS) {
      const [minimum, maximum] = [part[lower], part[upper]];
      if (typeof minimum === 'number' && typeof maximum === 'number' && minimum > maximum)
        findings.push({
          kind: 'error',
          part: 'schema',
          pointer: `${pointer}/${lower}`,
          field: pointer,
          message: text('lint.emptyRange', {
            lower,
            upper,
            minimum: String(minimum),
            maximum: String(maximum),
          }),
        });
    }
  return findings;
};
