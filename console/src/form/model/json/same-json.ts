import { isList, isMembers, isStructure, type Json, WrittenNumber } from './json.js';

/** True for equal values, regardless of whitespace and the order of members. */
export function sameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (a instanceof WrittenNumber) return b instanceof WrittenNumber && a.text === b.text;
  if (!isStructure(a) || !isStructure(b)) return false;
  if (isList(a)) return isList(b) && a.length === b.length && a.every((item, at) => sameJson(item, b[at]));
  if (!isMembers(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && sameJson(a[name], b[name]))
  );
}
