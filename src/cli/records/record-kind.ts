import type { WrittenDocument } from '../../config/document.js';
import type { Fault } from '../../core/fault.js';
import type { JsonObject } from '../../json/json-object.js';
import type { ManagementClient } from './management-client.js';

/** A record of a running server, or of a file. */
export interface ManagedRecord {
  readonly name: string;
  /** The document, as the operations of its kind take it. */
  readonly value: JsonObject;
}

/** A record of a file. */
export interface DeclaredRecord extends ManagedRecord {
  readonly kind: RecordKind;
  readonly file: string;
  /** Locates the members of the record in its file. */
  readonly document: WrittenDocument;
}

export interface ServerRecord extends ManagedRecord {
  /** Value of `If-Match` for a change. */
  readonly etag?: string | undefined;
  /** Id, if it is not the name. */
  readonly id?: string;
  /** True if the record is in a file of the server, which its API cannot change. */
  readonly isInFile?: boolean;
}

/** A change, and the reason that the history of the record gets. */
export interface ChangeRequest {
  readonly client: ManagementClient;
  readonly comment?: string | undefined;
}

/** Returns the faults for which a server would refuse a new or changed record. Changes nothing there. */
export type CheckRecord = (
  client: ManagementClient,
  record: DeclaredRecord,
  isNew: boolean,
) => Promise<readonly Fault[]>;

/** A kind of records that `gatehouse dump`, `diff` and `apply` handle. */
export interface RecordKind {
  readonly folder: 'adapters' | 'profiles' | 'forms' | 'access-rules' | 'limits';
  /** The kind of one record, for messages. */
  readonly title: string;
  readonly nameMember: string;
  /** True if the operations of the kind keep the digits of whole numbers. */
  readonly keepsNumbers?: true;
  /**
   * Pointers of the members that a file describes completely: what the file leaves out is removed from the server. Any
   * other member that a file leaves out stays as it is on the server.
   */
  readonly complete: readonly string[];
  /** Returns a document in the spelling in which documents are compared. */
  normalize(value: JsonObject): JsonObject;
  /** Returns the document of a server without the members that the server adds. */
  written(value: JsonObject): JsonObject;
  readonly check: CheckRecord;
  list(client: ManagementClient): Promise<readonly ServerRecord[]>;
  create(request: ChangeRequest, record: ManagedRecord): Promise<void>;
  update(request: ChangeRequest, record: ManagedRecord, present: ServerRecord): Promise<void>;
  remove(request: ChangeRequest, present: ServerRecord): Promise<void>;
}
