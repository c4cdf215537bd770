import type { Generated, Kysely } from 'kysely';
import type { AuditRecord } from '../domain/audit.js';

/** Names are camelCase here and snake_case in SQL (Kysely's `CamelCasePlugin`). */
export interface Tables {
  readonly audit: AuditRecord & { readonly id: Generated<number> };
  readonly schemaVersions: {
    readonly version: number;
    readonly name: string;
    /** RFC 3339. */
    readonly appliedAt: string;
  };
}

export type Database = Kysely<Tables>;
