import type { ReactNode } from 'react';

export interface Column<Row> {
  /** Value in the URL when the list is sorted by this column. */
  readonly key: string;
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /**
   * Its place on a card, which a row is on a small screen. The first line has the `title`, by default the first column, and what
   * is at its `end`; a `line` takes a line of its own; `bare` has no label; `pick` is the checkbox of the row; `hidden`: only in
   * the table. Other columns follow with their labels.
   */
  readonly card?: 'title' | 'end' | 'line' | 'bare' | 'pick' | 'hidden';
  /** True for a column of numbers, which are aligned at their ends. */
  readonly isNumber?: boolean;
  /** Sort value; absent for a column that cannot be sorted by. Undefined values come last. */
  readonly sortBy?: (row: Row) => string | number | undefined;
  /** Text for the search; absent for a column that is not searched. */
  readonly text?: (row: Row) => string;
}

/** The visible part of a list. */
export interface TableView {
  readonly search: string;
  /** Key of a column; a leading `-` sorts descending; empty for the original order. */
  readonly sort: string;
  /** From 1. */
  readonly page: number;
  readonly size: number;
}

/**
 * Returns the rows of one page, all rows that match the search, and the page number; the last page if the requested
 * page does not exist.
 */
export function pageOf<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { search, sort, page, size }: TableView,
): { readonly shown: readonly Row[]; readonly found: readonly Row[]; readonly page: number } {
  const found = searched(rows, columns, search);
  const real = Math.min(Math.max(page, 1), Math.max(Math.ceil(found.length / size), 1));
  return {
    shown: sorted(found, columns, sort).slice((real - 1) * size, real * size),
    found,
    page: real,
  };
}

/** Returns the rows in which every word of the search occurs, in any column. */
function searched<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  search: string,
): readonly Row[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  const texts = columns.flatMap(({ text }) => text ?? []);
  return rows.filter((row) => {
    const rowText = texts
      .map((text) => text(row))
      .join('\n')
      .toLowerCase();
    return words.every((word) => rowText.includes(word));
  });
}

function sorted<Row>(rows: readonly Row[], columns: readonly Column<Row>[], sort: string): readonly Row[] {
  const sortBy = columns.find(({ key }) => key === sort.replace(/^-/, ''))?.sortBy;
  if (!sortBy) return rows;
  const sign = sort.startsWith('-') ? -1 : 1;
  return rows
    .map((row) => ({ row, value: sortBy(row) }))
    .sort((a, b) => {
      if (a.value === undefined || b.value === undefined)
        return a.value === b.value ? 0 : a.value === undefined ? 1 : -1;
      return sign * compare(a.value, b.value);
    })
    .map(({ row }) => row);
}

const words = new Intl.Collator('en', { numeric: true });

function compare(a: string | number, b: string | number): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : words.compare(String(a), String(b));
}
