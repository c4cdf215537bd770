import type { ErrorObject } from 'ajv/dist/2020.js';

/** Keywords below which Ajv lists the errors of every form that was tried. */
const FORM_KEYWORDS = new Set(['anyOf', 'oneOf', 'contains']);

/**
 * Reduces the errors of values that may have several forms to what the writer can act on: the errors of the one form
 * that was evidently meant, or one error for the whole. `hinted` says whether the schema has its own words for it.
 */
export function settleForms(
  errors: readonly ErrorObject[],
  hinted: (error: ErrorObject) => boolean,
): readonly ErrorObject[] {
  const left = new Set(errors);
  // Ajv lists outer keywords after the inner ones.
  for (const outer of errors.filter(({ keyword }) => FORM_KEYWORDS.has(keyword)).reverse()) {
    if (!left.has(outer)) continue;
    const inner = [...left].filter((error) => error.schemaPath.startsWith(`${outer.schemaPath}/`));
    const settled = hinted(outer) ? [outer] : settle(outer, inner);
    for (const error of [outer, ...inner]) left.delete(error);
    for (const error of settled) left.add(error);
  }
  return [...left];
}

function settle(outer: ErrorObject, inner: readonly ErrorObject[]): readonly ErrorObject[] {
  if (outer.keyword === 'contains' || Array.isArray(outer.params['passingSchemas'])) return [outer];
  const here = inner.filter((error) => error.instancePath === outer.instancePath);
  if (inner.length > 0 && inner.every((error) => here.includes(error) && error.keyword === 'type'))
    return [{ ...outer, keyword: 'type', params: { type: inner.flatMap(typesOf) } }];
  const refused = new Set(
    here.filter(({ keyword }) => REFUSALS.has(keyword)).map((error) => formOf(outer, error)),
  );
  const meant = new Set(inner.map((error) => formOf(outer, error)).filter((form) => !refused.has(form)));
  return meant.size === 1 ? inner.filter((error) => meant.has(formOf(outer, error))) : [outer];
}

/** Keywords that tell a form apart from the others. */
const REFUSALS = new Set(['type', 'const', 'enum', 'false schema']);

/** Index of the form in the schema's list. */
function formOf(outer: ErrorObject, error: ErrorObject): string {
  return error.schemaPath.slice(outer.schemaPath.length + 1).split('/', 1)[0] ?? '';
}

function typesOf(error: ErrorObject): readonly unknown[] {
  return [(error.params as Readonly<Record<string, unknown>>)['type']].flat();
}
