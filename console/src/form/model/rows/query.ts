import { wordPattern } from '../../../../../src/form-model/partial-schema.js';
import { isJsonObject, type JsonObject, objectOf } from '../../../../../src/json/json-object.js';
import { errorsAt, errorsBelow } from '../check/error-locations.js';
import { labelOf } from '../field/options.js';
import type { SchemaTest } from '../field/search-index.js';
import { typeLabel } from '../field/type-label.js';
import { isStructure, sameJson } from '../json/json.js';
import type { Work } from '../slices.js';
import type { FormState } from '../state/form-state.js';
import type { Node } from './node.js';

export interface Query {
  readonly matches: (node: Node) => boolean;
  /** True if something below a node without data may match. */
  readonly mayMatchBelow: (node: Node) => boolean;
  /** True for a query that asks for a state, such as `is:error`: a matching container shows only what matches in it. */
  readonly isOfState: boolean;
}

type WordQuery = Omit<Query, 'isOfState'>;

/** Matches a word of a filter; quotes group several words. */
const WORDS = /(?:[^\s"]|"[^"]*")+/g;

/** Parses the filter of a form in steps; undefined for an empty filter. A node must match all words. */
export function* readQuery(state: FormState): Work<Query | undefined> {
  const words = (state.filter.match(WORDS) ?? []).map((word) => word.replaceAll('"', '')).filter(Boolean);
  if (words.length === 0) return undefined;
  const queries: WordQuery[] = [];
  for (const word of words) queries.push(yield* queryOf(state, word));
  return {
    matches: (node) => queries.every(({ matches }) => matches(node)),
    mayMatchBelow: (node) => queries.every(({ mayMatchBelow }) => mayMatchBelow(node)),
    isOfState: words.some((word) => /^is:/i.test(word)),
  };
}

/** Returns the words of a filter that names, titles and descriptions must contain: those without `is:` and `type:`. */
export function freeWordsOf(filter: string): string {
  const words = (filter.match(WORDS) ?? []).map((word) => word.replaceAll('"', ''));
  return words.filter((word) => word !== '' && !/^(?:is|type):/i.test(word)).join(' ');
}

function* queryOf(state: FormState, word: string): Work<WordQuery> {
  switch (word.toLowerCase()) {
    case 'is:changed':
      return { matches: isChangedItself, mayMatchBelow: ({ loaded }) => loaded !== undefined };
    case 'is:error':
      return {
        matches: ({ kind, pointer }) => kind !== 'choice' && errorsAt(state, pointer).length > 0,
        mayMatchBelow: ({ pointer }) => errorsBelow(state, pointer) > 0,
      };
    case 'is:required':
      return {
        matches: ({ required }) => required,
        mayMatchBelow: yield* schemaFilter(state, { schema: requiresMembers }),
      };
    case 'is:filled':
      return {
        matches: ({ kind, value }) => kind !== 'choice' && value !== undefined && !isStructure(value),
        mayMatchBelow: () => false,
      };
    default:
      return /^type:/i.test(word)
        ? yield* typeQuery(state, word.slice('type:'.length).toLowerCase())
        : yield* wordQuery(state, word);
  }
}

/** Returns true if the value itself differs, not only its content. */
function isChangedItself({ kind, value, loaded }: Node): boolean {
  if (kind === 'choice' || value === loaded) return false;
  if (kind === 'leaf' || kind === 'json' || kind === 'leaf-list') return !sameJson(value, loaded);
  return (value === undefined) !== (loaded === undefined);
}

/**
 * Returns a test of whether a descendant of a node may match, so that fields that cannot match are never created. The
 * result may be true without a match, but is never false with a match.
 */
function* schemaFilter({ form }: FormState, test: SchemaTest): Work<WordQuery['mayMatchBelow']> {
  const inside = yield* form.document.index.search(test);
  return ({ field: { parts, source } }) =>
    parts.some(({ schema }) => inside.has(schema)) || matchesUi(source.ui, test);
}

function requiresMembers({ required, mandatory, dependentRequired }: JsonObject): boolean {
  return (
    (Array.isArray(required) && required.length > 0) || mandatory === true || dependentRequired !== undefined
  );
}

/** Type labels that do not occur in schemas, so that a schema cannot exclude them. */
const ROW_KINDS =
  'container presence list entry leaf leaf-list choice json any unknown constant one of leafref union';

function* typeQuery(state: FormState, type: string): Work<WordQuery> {
  return {
    matches: ({ kind, field }) =>
      kind === type || (kind !== 'choice' && typeLabel(field).toLowerCase().includes(type)),
    mayMatchBelow:
      ROW_KINDS.includes(type) && type !== 'leafref'
        ? () => true
        : yield* schemaFilter(state, { schema: (schema) => namesType(schema, type) }),
  };
}

function namesType(schema: JsonObject, type: string): boolean {
  const yang = objectOf(schema['x-yang']);
  if (yang['leafref'] !== undefined || schema['x-yang-leafref'] !== undefined)
    return 'leafref'.includes(type);
  const types = [schema['type'], schema['format'], schema['x-yang-type'], yang['type']].flat();
  if (types.some((name) => typeof name === 'string' && name.toLowerCase().includes(type))) return true;
  return schema['enum'] !== undefined && 'enumeration'.includes(type);
}

/**
 * Matches a word with a slash against paths, any other word against names, titles, descriptions and values.
 */
function* wordQuery(state: FormState, word: string): Work<WordQuery> {
  if (word.includes('/')) return yield* pathQuery(state, word);
  const pattern = wordPattern(word);
  const matches = (text: string) => pattern.test(text);
  return {
    matches: ({ kind, key, field, value }) => {
      if (matches(key)) return true;
      if (kind === 'choice') return false;
      if (matches(field.title) || matches(field.description ?? '')) return true;
      return value !== undefined && !isStructure(value) && matches(labelOf(value));
    },
    mayMatchBelow: yield* schemaFilter(state, { text: pattern }),
  };
}

/** Matches a path against row ids. A descendant may match if its name contains the last name of the path. */
function* pathQuery(state: FormState, word: string): Work<WordQuery> {
  const path = wordPattern(word);
  const last = wordPattern(word.split('/').findLast((name) => name !== '') ?? '');
  const belowMatches = yield* schemaFilter(state, { text: last });
  return {
    matches: ({ id }) => path.test(id),
    mayMatchBelow: (node) => last.test(node.id) || belowMatches(node),
  };
}

const TEXT_KEYS: ReadonlySet<string> = new Set([
  'ui:title',
  'ui:description',
  'title',
  'description',
  'name',
]);

/** Returns true if a text or an object of a uiSchema matches, at any depth. */
function matchesUi(ui: JsonObject, { text, schema }: SchemaTest): boolean {
  const matches = (value: unknown): boolean => {
    if (typeof value !== 'object' || value === null) return false;
    return Object.entries(value).some(
      ([name, inner]) =>
        (typeof inner === 'string' && TEXT_KEYS.has(name) && text?.test(inner) === true) ||
        (isJsonObject(inner) && schema?.(inner) === true) ||
        matches(inner),
    );
  };
  return matches(ui);
}
