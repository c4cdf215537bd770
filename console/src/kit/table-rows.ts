import type { ReactNode } from 'react';

/** One column of a list. */
export interface Column<Row> {
  /** Stands in the address when the list is sorted by it. */
  readonly key: string;
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** What it is sorted by; absent: it is not. What is undefined goes last. */
  readonly sortBy?: (row: Row) => string | number | undefined;
  /** What the search looks at; absent: nothing. */
  readonly text?: (row: Row) => string;
}

/** What of a list is to be seen. */
export interface TableView {
  readonly search: string;
  /** Key of a column; `-` before it sorts downwards; empty: as it came. */
  readonly sort: string;
  /** From 1. */
  readonly page: number;
  readonly size: number;
}

/** The rows of one page, how many there are on all, and the page: the last one when so many are not there. */
export function pageOf<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { search, sort, page, size }: TableView,
): { readonly shown: readonly Row[]; readonly found: number; readonly page: number } {
  const found = searched(rows, columns, search);
  const real = Math.min(Math.max(page, 1), Math.max(Math.ceil(found.length / size), 1));
  return {
    shown: sorted(found, columns, sort).slice((real - 1) * size, real * size),
    found: found.length,
    page: real,
  };
}

/** Rows in which every word of the search stands, in whatever column. */
function searched<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  search: string,
): readonly Row[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  const texts = columns.flatMap(({ text }) => text ?? []);
  return rows.filter((row) => {
    const whole = texts
      .map((text) => text(row))
      .join('\n')
      .toLowerCase();
    return words.every((word) => whole.includes(word));
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
