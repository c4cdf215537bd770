import type { JsonObject } from '../../../../../src/core/json-object.js';
import { errorsAt, errorsBelow } from '../check/error-locations.js';
import { objectOf } from '../field/keywords.js';
import { DescendOptions } from '../field/descend.js';
import { labelOf } from '../field/options.js';
import { typeLabel } from '../field/type-label.js';
import { isStructure, sameJson } from '../json/json.js';
import type { FormState } from '../state/form-state.js';
import type { Node } from './node.js';

/** A parsed filter. */
export interface Query {
  /** True if a node itself matches. */
  readonly finds: (node: Node) => boolean;
  /** True if something below a node without data may match. */
  readonly mayFindBelow: (node: Node) => boolean;
}

/** Words of a filter; quotes group several words. */
const WORDS = /(?:[^\s"]|"[^"]*")+/g;

/** Parses the filter; undefined for an empty one. All words must match. */
export function readQuery(state: FormState): Query | undefined {
  const words = (state.filter.match(WORDS) ?? []).map((word) => word.replaceAll('"', '')).filter(Boolean);
  if (words.length === 0) return undefined;
  const queries = words.map((word) => queryOf(state, word));
  return {
    finds: (node) => queries.every(({ finds }) => finds(node)),
    mayFindBelow: (node) => queries.every(({ mayFindBelow }) => mayFindBelow(node)),
  };
}

function queryOf(state: FormState, word: string): Query {
  switch (word.toLowerCase()) {
    case 'is:changed':
      return { finds: isChangedItself, mayFindBelow: ({ loaded }) => loaded !== undefined };
    case 'is:error':
      return {
        finds: ({ kind, pointer }) => kind !== 'choice' && errorsAt(state, pointer).length > 0,
        mayFindBelow: ({ pointer }) => errorsBelow(state, pointer) > 0,
      };
    case 'is:required':
      return { finds: ({ required }) => required, mayFindBelow: below(() => false, asksForMembers) };
    case 'is:filled':
      return {
        finds: ({ kind, value }) => kind !== 'choice' && value !== undefined && !isStructure(value),
        mayFindBelow: () => false,
      };
    default:
      return /^type:/i.test(word) ? ofType(word.slice('type:'.length).toLowerCase()) : containing(word);
  }
}

/** True if the value itself differs, not only its content. */
function isChangedItself({ kind, value, loaded }: Node): boolean {
  if (kind === 'choice' || value === loaded) return false;
  if (kind === 'leaf' || kind === 'json' || kind === 'leaf-list') return !sameJson(value, loaded);
  return (value === undefined) !== (loaded === undefined);
}

function below(
  text: (text: string) => boolean,
  schema: (schema: JsonObject) => boolean,
): Query['mayFindBelow'] {
  const look = new DescendOptions({ text, schema });
  return ({ field }) => look.below(field);
}

function asksForMembers({ required, mandatory, dependentRequired }: JsonObject): boolean {
  return (
    (Array.isArray(required) && required.length > 0) || mandatory === true || dependentRequired !== undefined
  );
}

/** Kinds of rows that have no counterpart in a schema. */
const KINDS =
  'container presence list entry leaf leaf-list choice json any unknown constant one of leafref union';

function ofType(type: string): Query {
  return {
    finds: ({ kind, field }) =>
      kind === type || (kind !== 'choice' && typeLabel(field).toLowerCase().includes(type)),
    mayFindBelow:
      KINDS.includes(type) && type !== 'leafref'
        ? () => true
        : below(
            () => false,
            (schema) => namesType(schema, type),
          ),
  };
}

function namesType(schema: JsonObject, type: string): boolean {
  const yang = objectOf(schema['x-yang']);
  if (yang['leafref'] !== undefined || schema['x-yang-leafref'] !== undefined)
    return 'leafref'.includes(type);
  const said = [schema['type'], schema['format'], schema['x-yang-type'], yang['type']].flat();
  if (said.some((one) => typeof one === 'string' && one.toLowerCase().includes(type))) return true;
  return schema['enum'] !== undefined && 'enumeration'.includes(type);
}

/** Searches paths for a word with a slash; names, titles, descriptions and values for any other word. */
function containing(word: string): Query {
  const finds = finder(word);
  if (word.includes('/')) return onPath(word);
  return {
    finds: ({ kind, key, field, value }) => {
      if (finds(key)) return true;
      if (kind === 'choice') return false;
      if (finds(field.title) || finds(field.description ?? '')) return true;
      return value !== undefined && !isStructure(value) && finds(labelOf(value));
    },
    mayFindBelow: below(finds, () => false),
  };
}

/** Searches a path: its last name may be part of the node's id, or of a descendant. */
function onPath(word: string): Query {
  const finds = finder(word);
  const last = finder(word.split('/').findLast((name) => name !== '') ?? '');
  const toCome = below(last, () => false);
  return { finds: ({ id }) => finds(id), mayFindBelow: (node) => last(node.id) || toCome(node) };
}

/** Returns a case-insensitive search for a word, without lower-case copies of each text. */
function finder(word: string): (text: string) => boolean {
  const pattern = new RegExp(word.replaceAll(/[$()*+./?[\\\]^{|}-]/g, '\\$&'), 'iu');
  return (text) => pattern.test(text);
}
