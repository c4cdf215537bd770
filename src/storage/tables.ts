import type { Generated, Kysely, Transaction } from 'kysely';
import type { AuditRecord } from '../domain/audit.js';

/** Names are camelCase here and snake_case in SQL (Kysely's `CamelCasePlugin`). */
export interface Tables {
  readonly audit: AuditRecord & { readonly id: Generated<number> };
  readonly forms: {
    readonly id: string;
    readonly name: string;
    /** Counts the updates, from 1. */
    readonly revision: Generated<number>;
    /** The form as JSON, id and name included. */
    readonly document: string;
  };
  /** Former states of forms. */
  readonly formVersions: {
    readonly formId: string;
    readonly revision: number;
    readonly document: string;
  };
  readonly schemaVersions: {
    readonly version: number;
    readonly name: string;
    /** RFC 3339. */
    readonly appliedAt: string;
  };
}

export type Database = Kysely<Tables>;
export type Write = Transaction<Tables>;
