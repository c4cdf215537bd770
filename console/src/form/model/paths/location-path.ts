import { pointerTokens } from '../../../../../src/json/pointer.js';
import { isList, isMembers, isStructure, type Json } from '../json/json.js';
import { childOf } from '../json/locations.js';

/** The values from the document to a location, for `..` steps. A list and its entry are one value. */
export type Trail = readonly (Json | undefined)[];

/** Returns the trail from a document to a pointer. */
export function trailTo(document: Json | undefined, pointer: string): Trail {
  const trail: (Json | undefined)[] = [document];
  let value = document;
  for (const token of pointerTokens(pointer)) {
    const inList = isList(value);
    value = childOf(value, token);
    if (inList) trail.pop();
    trail.push(value);
  }
  return trail;
}

/**
 * Maximum number of values. A path that enters and leaves a list reaches more values with each repetition.
 */
const MAX_VALUES = 200_000;

const STEP = /(?:current\(\)|[^/[]+)(?:\[[^\]]*\])*/g;

/**
 * Returns the values that a location path selects (XPath 1.0 child steps and `..`), from a trail. Predicates
 * are ignored, so the result may contain values that a predicate excludes. Returns undefined for a path with
 * any other syntax, and for a path that reaches too many values.
 */
export function valuesOnPath(path: string, trail: Trail): readonly Json[] | undefined {
  const steps = (path.match(STEP) ?? []).map((step) => step.replace(/\[.*$/, '').trim());
  if (steps.some((step) => !/^(?:\.|\.\.|current\(\)|(?:[\w.-]+:)?[\w.-]+)$/.test(step))) return undefined;
  let trails: readonly Trail[] = path.startsWith('/') ? [trail.slice(0, 1)] : [trail];
  for (const step of steps) {
    const reached: Trail[] = [];
    for (const from of trails) {
      for (const next of walk(from, step)) reached.push(next);
      if (reached.length > MAX_VALUES) return undefined;
    }
    trails = reached;
  }
  return trails.flatMap((at) => {
    const value = at.at(-1);
    return value === undefined ? [] : [value];
  });
}

function walk(trail: Trail, step: string): readonly Trail[] {
  if (step === '.' || step === 'current()') return [trail];
  if (step === '..') return trail.length > 1 ? [trail.slice(0, -1)] : [];
  const value = trail.at(-1);
  if (!isMembers(value)) return [];
  return Object.keys(value)
    .filter((name) => isNamed(name, step))
    .flatMap((name) => entriesOf(value[name]).map((entry) => [...trail, entry]));
}

/** Returns true if a name matches a step; either side may lack the prefix. */
function isNamed(name: string, step: string): boolean {
  if (name === step) return true;
  const bothPrefixed = name.includes(':') && step.includes(':');
  return !bothPrefixed && name.replace(/^.*:/, '') === step.replace(/^.*:/, '');
}

function entriesOf(value: Json | undefined): readonly (Json | undefined)[] {
  if (isList(value) && !(value.length === 1 && value[0] === null)) return value;
  return [value];
}

/** Returns the scalars among some values. */
export function scalarsOf(values: readonly Json[]): readonly Json[] {
  return values.filter((value) => !isStructure(value));
}
