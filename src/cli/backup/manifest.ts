import { compileSchema } from '../../json-schema/compile.js';

/** Name of the manifest, the first entry of a backup. */
export const MANIFEST_NAME = 'manifest.json';

const fileSchema = {
  type: 'object',
  required: ['name', 'size', 'sha256', 'mode'],
  properties: {
    // No part of the path is `.` or `..`, so that no file leaves its folder.
    name: { type: 'string', pattern: '^(?:config|data)(?:/(?!\\.\\.?(?:/|$))[^/\\\\\\u0000]+)+$' },
    size: { type: 'integer', minimum: 0 },
    sha256: { type: 'string', pattern: '^[0-9a-f]{64}$' },
    mode: { type: 'integer', minimum: 0, maximum: 0o777 },
  },
} as const;

const manifestSchema = {
  type: 'object',
  required: ['format', 'version', 'gatehouse', 'createdAt', 'main', 'database', 'files'],
  properties: {
    format: { const: 'gatehouse backup' },
    version: { type: 'integer' },
    gatehouse: { type: 'string' },
    createdAt: { type: 'string' },
    main: { type: 'string' },
    database: { enum: ['sqlite', 'postgres', 'memory'] },
    lastAuditRecord: {
      type: 'object',
      required: ['seq', 'hash'],
      properties: { seq: { type: 'integer' }, hash: { type: 'string' } },
    },
    files: { type: 'array', items: fileSchema },
  },
} as const;

export interface ArchivedFile {
  /** `config/` or `data/`, and the path below. */
  readonly name: string;
  readonly size: number;
  /** SHA-256 of the content, in hexadecimal digits. */
  readonly sha256: string;
  readonly mode: number;
}

/** What a backup says about its server. */
export interface BackupFacts {
  readonly format: 'gatehouse backup';
  readonly version: number;
  readonly gatehouse: string;
  readonly createdAt: string;
  readonly main: string;
  /** Where the database was. Only that of SQLite is in the backup. */
  readonly database: 'sqlite' | 'postgres' | 'memory';
  /** Last record of the audit file; absent without one. */
  readonly lastAuditRecord?: { readonly seq: number; readonly hash: string };
}

export interface Manifest extends BackupFacts {
  readonly files: readonly ArchivedFile[];
}

/** Version of the format that this version of gatehouse writes and reads. */
export const FORMAT_VERSION = 1;

/** Parses a manifest. Throws an Error if it is none, or has a newer format. */
export function parseManifest(text: string, path: string): Manifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error(`${path} is not a backup of gatehouse: its ${MANIFEST_NAME} is not JSON.`);
  }
  const [violation] = compileSchema(manifestSchema)(value).violations;
  if (violation)
    throw new Error(
      `${path} is not a backup of gatehouse: ${violation.pointer} in its ${MANIFEST_NAME} ${violation.message}.`,
    );
  const manifest = value as Manifest;
  if (manifest.version > FORMAT_VERSION)
    throw new Error(
      `${path} is of gatehouse ${manifest.gatehouse}, whose backups this version cannot read. Install that version.`,
    );
  return manifest;
}
