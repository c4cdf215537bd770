/** Request to the thread of a SQLite database; requests are answered in order. */
export type SqliteRequest =
  | { readonly kind: 'query'; readonly sql: string; readonly parameters: readonly unknown[] }
  /** Rolls the transaction back, unless SQLite has already done so. */
  | { readonly kind: 'rollback' }
  | { readonly kind: 'close' };

/** Answer of the thread. The first answer, without a request, reports whether the database was opened. */
export type SqliteReply = { readonly done: SqliteResult } | { readonly fault: SqliteFault };

/** Result of a statement. */
export interface SqliteResult {
  readonly rows: readonly unknown[];
  /** Number of changed rows, for statements that return no rows. */
  readonly changes?: bigint;
}

/** An error that is passed between threads; its code would be lost otherwise. */
export interface SqliteFault {
  readonly code?: string;
  readonly message: string;
}
