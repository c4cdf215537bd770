import { isMembers, isStructure, type JsonMembers } from '../json/json.js';
import { labelOf } from '../field/options.js';
import { textsOf } from '../field/keywords.js';
import type { Node } from './node.js';

/** Members that usually identify entries without keys. */
const USUAL = ['name', 'title', 'id', 'key'];

/** Returns the title of a row: for an entry its keys, as in `[eth0]`. */
export function rowTitle(node: Node): string {
  const { kind, key, field, value, parent, choice } = node;
  if (choice) return choice.name;
  const isItem = parent?.kind === 'list' || parent?.kind === 'leaf-list';
  if (!isItem) return field.title === '' ? key : field.title;
  const names = kind === 'entry' && isMembers(value) ? entryNames(parent, value) : [];
  return names.length > 0 ? `[${names.join(' ')}]` : field.title || `#${Number(key) + 1}`;
}

function entryNames({ field }: Node, value: JsonMembers): readonly string[] {
  const written = textsOf(field.ui('entryTitle'));
  const keys = written.length > 0 ? written : field.keys;
  const texts = (names: readonly string[]) =>
    names.flatMap((name) => {
      const member = Object.hasOwn(value, name) ? value[name] : undefined;
      return member === undefined || isStructure(member) ? [] : [labelOf(member)];
    });
  return keys.length > 0 ? texts(keys) : texts(USUAL).slice(0, 1);
}
