import type { JsonObject } from '../../../../../src/core/json-object.js';
import { errorsAt, errorsBelow } from '../check/error-locations.js';
import { objectOf } from '../field/keywords.js';
import { SchemaSearch } from '../field/schema-search.js';
import { labelOf } from '../field/options.js';
import { typeLabel } from '../field/type-label.js';
import { isStructure, sameJson } from '../json/json.js';
import type { FormState } from '../state/form-state.js';
import type { Node } from './node.js';

/** A parsed filter. */
export interface Query {
  /** True if a node itself matches. */
  readonly matches: (node: Node) => boolean;
  /** True if something below a node without data may match. */
  readonly mayMatchBelow: (node: Node) => boolean;
}

/** Matches a word of a filter; quotes group several words. */
const WORDS = /(?:[^\s"]|"[^"]*")+/g;

/** Parses the filter of a form; undefined for an empty filter. A node must match all words. */
export function readQuery(state: FormState): Query | undefined {
  const words = (state.filter.match(WORDS) ?? []).map((word) => word.replaceAll('"', '')).filter(Boolean);
  if (words.length === 0) return undefined;
  const queries = words.map((word) => queryOf(state, word));
  return {
    matches: (node) => queries.every(({ matches }) => matches(node)),
    mayMatchBelow: (node) => queries.every(({ mayMatchBelow }) => mayMatchBelow(node)),
  };
}

function queryOf(state: FormState, word: string): Query {
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
        mayMatchBelow: schemaFilter(() => false, requiresMembers),
      };
    case 'is:filled':
      return {
        matches: ({ kind, value }) => kind !== 'choice' && value !== undefined && !isStructure(value),
        mayMatchBelow: () => false,
      };
    default:
      return /^type:/i.test(word) ? typeQuery(word.slice('type:'.length).toLowerCase()) : wordQuery(word);
  }
}

/** Returns true if the value itself differs, not only its content. */
function isChangedItself({ kind, value, loaded }: Node): boolean {
  if (kind === 'choice' || value === loaded) return false;
  if (kind === 'leaf' || kind === 'json' || kind === 'leaf-list') return !sameJson(value, loaded);
  return (value === undefined) !== (loaded === undefined);
}

function schemaFilter(
  text: (text: string) => boolean,
  schema: (schema: JsonObject) => boolean,
): Query['mayMatchBelow'] {
  const search = new SchemaSearch({ text, schema });
  return ({ field }) => search.below(field);
}

function requiresMembers({ required, mandatory, dependentRequired }: JsonObject): boolean {
  return (
    (Array.isArray(required) && required.length > 0) || mandatory === true || dependentRequired !== undefined
  );
}

/** Type labels that do not occur in schemas, so that a schema cannot exclude them. */
const ROW_KINDS =
  'container presence list entry leaf leaf-list choice json any unknown constant one of leafref union';

function typeQuery(type: string): Query {
  return {
    matches: ({ kind, field }) =>
      kind === type || (kind !== 'choice' && typeLabel(field).toLowerCase().includes(type)),
    mayMatchBelow:
      ROW_KINDS.includes(type) && type !== 'leafref'
        ? () => true
        : schemaFilter(
            () => false,
            (schema) => namesType(schema, type),
          ),
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
function wordQuery(word: string): Query {
  const matches = textMatcher(word);
  if (word.includes('/')) return pathQuery(word);
  return {
    matches: ({ kind, key, field, value }) => {
      if (matches(key)) return true;
      if (kind === 'choice') return false;
      if (matches(field.title) || matches(field.description ?? '')) return true;
      return value !== undefined && !isStructure(value) && matches(labelOf(value));
    },
    mayMatchBelow: schemaFilter(matches, () => false),
  };
}

/** Matches a path against row ids. A descendant may match if its name contains the last name of the path. */
function pathQuery(word: string): Query {
  const matches = textMatcher(word);
  const last = textMatcher(word.split('/').findLast((name) => name !== '') ?? '');
  const belowMatches = schemaFilter(last, () => false);
  return { matches: ({ id }) => matches(id), mayMatchBelow: (node) => last(node.id) || belowMatches(node) };
}

/**
 * Returns a case-insensitive test for a word. It creates no lower-case copy of each text. Only syntax characters
 * are escaped: with the flag `u`, an escaped hyphen is an error.
 */
function textMatcher(word: string): (text: string) => boolean {
  const pattern = new RegExp(word.replaceAll(/[$()*+./?[\\\]^{|}]/g, '\\$&'), 'iu');
  return (text) => pattern.test(text);
}
