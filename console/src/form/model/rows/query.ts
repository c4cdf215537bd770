import type { JsonObject } from '../../../../../src/core/json-object.js';
import { errorsAt, errorsBelow } from '../check/error-locations.js';
import { objectOf } from '../field/keywords.js';
import { DescendOptions } from '../field/descend.js';
import { labelOf } from '../field/options.js';
import { typeLabel } from '../field/type-label.js';
import { isStructure } from '../json/json.js';
import { sameJson } from '../json/same-json.js';
import type { FormState } from '../state/form-state.js';
import type { Node } from './node.js';

/** What a filter finds. */
export interface Query {
  /** Whether it finds a node itself. */
  readonly finds: (node: Node) => boolean;
  /** Whether it may find something below a node that has no data. */
  readonly mayFindBelow: (node: Node) => boolean;
}

/** Words of a filter; those between quotes belong together. */
const WORDS = /(?:[^\s"]|"[^"]*")+/g;

/** Reads a filter; undefined for one that asks for nothing. All of its words have to be found. */
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

/** True for a value that differs, and not only something inside of it. */
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

/** Kinds of rows, which no schema has a word for. */
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

/** A word with a slash is looked for in paths; any other in names, titles, descriptions and values. */
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

/** The last name of the path stands in the id already, or is still to come. */
function onPath(word: string): Query {
  const finds = finder(word);
  const last = finder(word.split('/').findLast((name) => name !== '') ?? '');
  const toCome = below(last, () => false);
  return { finds: ({ id }) => finds(id), mayFindBelow: (node) => last(node.id) || toCome(node) };
}

/** Finds a word whatever its capitals, without a copy of each text in small letters. */
function finder(word: string): (text: string) => boolean {
  const pattern = new RegExp(word.replaceAll(/[$()*+./?[\\\]^{|}-]/g, '\\$&'), 'iu');
  return (text) => pattern.test(text);
}
