/** Settings for JSON forms and for the schemas of callers. */
export interface FormsSettings {
  /** Maximum size of a form, and of a schema with its data, in bytes. */
  readonly maxBytes: number;
  readonly maxForms: number;
  /** Maximum number of earlier versions per form. */
  readonly maxVersions: number;
  /** Maximum wall time for applying a caller's schema. */
  readonly validateTimeoutMs: number;
  /** Maximum heap for applying a caller's schema. */
  readonly validateMemoryMb: number;
  /** Folders that are searched for imported YANG modules. */
  readonly yangPath: readonly string[];
  readonly tasks: TaskSettings;
}

/**
 * Settings for tasks, which are questions to people. Origins are written `https://host` or
 * `https://host:port`; `self` is the server's own.
 */
export interface TaskSettings {
  readonly maxTasks: number;
  /** Origins of pages that may show a task in a frame. */
  readonly frameAncestors: readonly string[];
  /** Origins of pages that may receive an outcome. */
  readonly messageOrigins: readonly string[];
}
