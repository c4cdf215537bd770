import { pointerTo, pointerTokens } from '../../../../../src/json/pointer.js';
import type { Field } from '../field/field.js';
import { labelOf } from '../field/options.js';
import { writeJson } from '../json/json-text.js';
import { isList, isStructure, type Json, jsonAt, type JsonList } from '../json/json.js';
import { nodeAt } from '../rows/children.js';
import { MAX_OPEN_ENTRIES } from '../rows/open-rows.js';
import { applyEdit, withValue } from '../state/apply-edit.js';
import type { FormState } from '../state/form-state.js';
import { committed } from '../state/history.js';
import { fieldValue } from '../state/values.js';
import type { Pasted, PasteProblem } from './paste.js';

/** A column of a list that is shown as a table: a leaf of its entries. */
export interface CsvColumn {
  /** Pointer from the entry to the leaf; `''` for the values of a leaf-list. */
  readonly pointer: string;
  readonly title: string;
  /** True if the column is shown by default: for keys, and for leaves that any entry has. */
  readonly chosen: boolean;
}

/** Maximum number of columns in a table. */
const MAX_COLUMNS = 200;

/** Returns the columns that a list can have, in the order of the form; none unless the node is a list. */
export function csvColumns(state: FormState, pointer: string): readonly CsvColumn[] {
  const node = nodeAt(state, pointer);
  if (node?.kind !== 'list' && node?.kind !== 'leaf-list') return [];
  const entries = isList(node.value) ? node.value : [];
  const { keys } = node.field;
  return leavesOf(node.field.item(0), '', [])
    .slice(0, MAX_COLUMNS)
    .map(({ pointer: leaf, titles }) => ({
      pointer: leaf,
      title: titles.join(' / '),
      chosen: keys.includes(leaf.slice(1)) || entries.some((entry) => jsonAt(entry, leaf) !== undefined),
    }));
}

/** Returns a list as CSV: a header line, then one line for each entry. */
export function listToCsv(
  state: FormState,
  pointer: string,
  columns: readonly Pick<CsvColumn, 'pointer'>[],
): string {
  const entries = entriesAt(state, pointer);
  const header = columns.map((column) => columnName(column.pointer));
  return csvText([
    header,
    ...entries.map((entry) => columns.map((column) => cellText(jsonAt(entry, column.pointer)))),
  ]);
}

/** Returns true if a text is CSV for a list: it has records below a line with names of its columns. */
export function isCsvFor(state: FormState, pointer: string, text: string): boolean {
  if (/^\s*[{[]/.test(text)) return false;
  try {
    const [header, ...records] = readCsv(text);
    const known = new Set(csvColumns(state, pointer).map((column) => column.pointer));
    const columns = (header?.cells ?? []).map((name) => columnPointer(name.trim()));
    return records.length > 0 && columns.some((column) => known.has(column));
  } catch {
    return false; // The quotes do not match: no CSV.
  }
}

/**
 * Imports CSV into a list, as one undo step. A record whose keys match an entry changes this entry; any other
 * record adds an entry. An empty cell removes the value; values without a column stay.
 */
export function csvToList(before: FormState, pointer: string, text: string): Pasted {
  let records: readonly CsvRecord[];
  try {
    records = readCsv(text);
  } catch {
    return { state: before, applied: 0, problems: [{ line: 1, reason: 'noCsv', path: '' }] };
  }
  const [header, ...rest] = records;
  const known = new Set(csvColumns(before, pointer).map((column) => column.pointer));
  const columns = (header?.cells ?? []).map((name) => columnPointer(name.trim()));
  const problems = columns
    .filter((column) => !known.has(column))
    .map((column): PasteProblem => ({ line: 1, reason: 'noColumn', path: columnName(column) }));
  let state = before;
  for (const { cells } of rest)
    state = withRecord(
      state,
      pointer,
      columns.flatMap((column, at) => (known.has(column) ? [{ column, text: cells[at] ?? '' }] : [])),
    );
  const { data, errors, chosen, stashed } = state;
  // New entries are open, but those of a long list are closed.
  const open =
    entriesAt(state, pointer).length > MAX_OPEN_ENTRIES
      ? new Map(before.open).set(pointer, true)
      : state.open;
  if (data === before.data) return { state: before, applied: rest.length, problems };
  return {
    state: committed(before, { content: { data, open, errors, chosen, stashed }, pointer, editName: '' }),
    applied: rest.length,
    problems,
  };
}

interface Cell {
  readonly column: string;
  readonly text: string;
}

function withRecord(state: FormState, pointer: string, cells: readonly Cell[]): FormState {
  const list = nodeAt(state, pointer);
  if (!list) return state;
  const keys = list.field.keys.map((key) => `/${key}`);
  const wanted = keys.map((key) => cells.find(({ column }) => column === key)?.text);
  const entries = entriesAt(state, pointer);
  const existing =
    keys.length === 0
      ? -1
      : entries.findIndex((entry) => keys.every((key, at) => cellText(jsonAt(entry, key)) === wanted[at]));
  const index = existing === -1 ? entries.length : existing;
  const entryPointer = `${pointer}/${index}`;
  let next = existing === -1 ? applyEdit(state, { kind: 'add', pointer }) : state;
  for (const { column, text } of cells) next = withCell(next, entryPointer + column, text);
  return next;
}

function withCell(state: FormState, pointer: string, text: string): FormState {
  const node = nodeAt(state, pointer);
  return node ? withValue(state, pointer, { value: fieldValue(node.field, text) }) : state;
}

function entriesAt(state: FormState, pointer: string): JsonList {
  const value = nodeAt(state, pointer)?.value;
  return isList(value) ? value : [];
}

interface Leaf {
  readonly pointer: string;
  readonly titles: readonly string[];
}

/** Returns the leaves of an entry and of the containers in it. Nested lists do not fit into a table. */
function leavesOf(field: Field, pointer: string, titles: readonly string[]): readonly Leaf[] {
  if (field.kind === 'leaf') return [{ pointer, titles: titles.length === 0 ? [field.title] : titles }];
  const isDeep = pointerTokens(pointer).length > 6;
  if ((field.kind !== 'container' && field.kind !== 'presence') || isDeep) return [];
  return field.names.flatMap((name) => {
    const member = field.member(name);
    return leavesOf(member, pointerTo(pointer, name), [...titles, member.title]);
  });
}

/** Returns the column name: the pointer without its leading slash; `.` for the value itself. */
function columnName(pointer: string): string {
  return pointer === '' ? '.' : pointer.slice(1);
}

function columnPointer(name: string): string {
  return name === '.' ? '' : `/${name}`;
}

function cellText(value: Json | undefined): string {
  return isStructure(value) ? writeJson(value) : labelOf(value);
}

/**
 * Formats records as CSV (RFC 4180): lines end with CR LF, cells are quoted if needed. A cell that a
 * spreadsheet would treat as a formula gets a leading apostrophe, which `readCsv` removes: the content of a
 * form is untrusted.
 */
export function csvText(records: readonly (readonly string[])[]): string {
  return records.map((cells) => `${cells.map(quoted).join(',')}\r\n`).join('');
}

function quoted(value: string): string {
  const cell = /^'*[=+@\t\r-]/.test(value) && !NUMBER.test(value) ? `'${value}` : value;
  return /[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

const NUMBER = /^[+-]?[0-9]+(?:\.[0-9]+)?$/;

function withoutApostrophe(cell: string): string {
  return /^'+[=+@\t\r-]/.test(cell) ? cell.slice(1) : cell;
}

/** A record and the number of its first line, from 1. */
interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

// A quoted or plain cell, and its terminator.
const CELLS: Readonly<Record<string, RegExp>> = {
  ',': /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n][^,\r\n]*|))(,|\r\n|\n|\r|$)/y,
  ';': /(?:"([^"]*(?:""[^"]*)*)"|([^";\r\n][^;\r\n]*|))(;|\r\n|\n|\r|$)/y,
  '\t': /(?:"([^"]*(?:""[^"]*)*)"|([^"\t\r\n][^\t\r\n]*|))(\t|\r\n|\n|\r|$)/y,
};

/** Returns the separator of the first line outside quotes; a comma by default. */
function separatorOf(text: string): string {
  const [head = ''] = text.replaceAll(/"[^"]*"/g, '').split(/[\r\n]/, 1);
  return /[,;\t]/.exec(head)?.[0] ?? ',';
}

/**
 * Parses CSV with commas, semicolons or tabs, as the first line has them; records without text are left out.
 * Throws a `SyntaxError`.
 */
export function readCsv(text: string): readonly CsvRecord[] {
  const separator = separatorOf(text);
  const cell = CELLS[separator] ?? /$/y;
  const records: CsvRecord[] = [];
  let cells: string[] = [];
  let line = 1;
  let at = text.startsWith('\ufeff') ? 1 : 0;
  let started = line;
  while (at < text.length || cells.length > 0) {
    cell.lastIndex = at;
    const found = cell.exec(text);
    if (!found) throw new SyntaxError(`line ${line}: a quote is not allowed here`);
    const [all, inQuotes, plain = '', end = ''] = found;
    at += all.length;
    cells.push(withoutApostrophe(inQuotes === undefined ? plain : inQuotes.replaceAll('""', '"')));
    line += all.split(/\r\n|\n|\r/).length - 1;
    if (end === separator) continue;
    if (cells.some((cell) => cell !== '')) records.push({ line: started, cells });
    cells = [];
    started = line;
  }
  return records;
}
