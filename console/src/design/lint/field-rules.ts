import { isJsonObject, type JsonObject } from '../../../../src/core/json-object.js';
import { pointerTo } from '../../../../src/core/pointer.js';
import { placeOf, uiPointerOf } from '../field-location.js';
import { objectAt, textsAt } from '../json-edit.js';
import { eachSchema } from './each-schema.js';
import type { Finding, Rule } from './finding.js';

/** Reports fields that are shown under their technical name because neither document has a title for them. */
export const missingLabels: Rule = ({ schema, uiSchema }) => {
  const findings: Finding[] = [];
  for (const [part, pointer] of eachSchema(schema)) {
    const place = placeOf(pointer);
    if (!place || hasText(part['title']) || typeof part['$ref'] === 'string') continue;
    const ui = uiPointerOf(pointer);
    if (ui !== undefined && hasText(objectAt(uiSchema, ui)['ui:title'])) continue;
    if (isInRule(pointer)) continue;
    findings.push({
      kind: 'warning',
      part: 'schema',
      pointer,
      field: pointer,
      message: `"${place.name}" has no title; people see its name.`,
    });
  }
  return findings.length > MOST_LABELS ? [manyLabels(findings)] : findings;
};

/**
 * Maximum number of fields without a title that are reported one by one; with more, the omission is
 * deliberate.
 */
const MOST_LABELS = 20;

function manyLabels([first, ...more]: readonly Finding[]): Finding {
  return {
    kind: 'warning',
    part: 'schema',
    pointer: first?.pointer ?? '',
    message: `${more.length + 1} fields have no title; people see their names.`,
  };
}

function hasText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

/** Members inside rules (`if`, `not`, alternatives) describe a field whose label is elsewhere. */
function isInRule(pointer: string): boolean {
  return /\/(?:if|then|else|not|allOf|anyOf|oneOf|dependentSchemas|dependencies)\//.test(pointer);
}

/** Reports names that are required but not described, so that they cannot be filled in. */
export const unknownRequired: Rule = ({ schema }) => {
  const findings: Finding[] = [];
  for (const [part, pointer] of eachSchema(schema)) {
    const names = Object.keys(objectAt(part, '/properties'));
    if (isInRule(`${pointer}/`) || names.length === 0) continue;
    textsAt(part, '/required').forEach((name, at) => {
      if (names.includes(name) || isDescribedIn(part, name)) return;
      findings.push({
        kind: 'error',
        part: 'schema',
        pointer: pointerTo(`${pointer}/required`, at),
        field: pointer,
        message: `"${name}" is required, but there is no such field.`,
      });
    });
  }
  return findings;
};

function isDescribedIn(schema: JsonObject, name: string): boolean {
  return ['allOf', 'anyOf', 'oneOf'].some((keyword) => {
    const list = schema[keyword];
    return (
      Array.isArray(list) &&
      list.some((one: unknown) => isJsonObject(one) && Object.hasOwn(objectAt(one, '/properties'), name))
    );
  });
}

/** Reports fields that no document can have, or that are never shown. */
export const unreachableFields: Rule = ({ schema }) => {
  const findings: Finding[] = [];
  const note = (pointer: string, message: string): void => {
    findings.push({ kind: 'error', part: 'schema', pointer, field: pointer, message });
  };
  for (const [part, pointer] of eachSchema(schema)) {
    const { type } = part;
    const hasFields = Object.keys(objectAt(part, '/properties')).length > 0;
    if (hasFields && typeof type === 'string' && type !== 'object')
      note(pointer, `Its fields cannot be reached: it is of the type ${type}, not object.`);
    if (isJsonObject(part['items']) && typeof type === 'string' && type !== 'array')
      note(pointer, `Its entries cannot be reached: it is of the type ${type}, not array.`);
    if (!Object.hasOwn(part, 'if') && (Object.hasOwn(part, 'then') || Object.hasOwn(part, 'else')))
      note(pointer, '"then" and "else" do nothing without "if".');
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
        message: 'Nothing refers to this definition.',
      })),
  );
}

const BOUNDS = [
  ['minimum', 'maximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
] as const;

/** Reports bounds that allow no value. */
export const emptyRanges: Rule = ({ schema }) => {
  const findings: Finding[] = [];
  for (const [part, pointer] of eachSchema(schema))
    for (const [least, most] of BOUNDS) {
      const [low, high] = [part[least], part[most]];
      if (typeof low === 'number' && typeof high === 'number' && low > high)
        findings.push({
          kind: 'error',
          part: 'schema',
          pointer: `${pointer}/${least}`,
          field: pointer,
          message: `No value fits: ${least} ${low} is more than ${most} ${high}.`,
        });
    }
  return findings;
};
