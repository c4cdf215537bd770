/** What the thread of a SQLite database is asked; each request is answered, in order. */
export type SqliteRequest =
  | { readonly kind: 'query'; readonly sql: string; readonly parameters: readonly unknown[] }
  /** Undoes the transaction, where SQLite has not done so by itself. */
  | { readonly kind: 'rollback' }
  | { readonly kind: 'close' };

/** Its answer. The first answer, to no request, tells whether the database was opened. */
export type SqliteReply = { readonly done: SqliteResult } | { readonly fault: SqliteFault };

/** What a statement gave. */
export interface SqliteResult {
  readonly rows: readonly unknown[];
  /** Rows that were changed, for statements that return none. */
  readonly changes?: bigint;
}

/** An error on its way between threads, which would lose its code otherwise. */
export interface SqliteFault {
  readonly code?: string;
  readonly message: string;
}
