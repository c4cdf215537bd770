/** Settings for JSON forms and for JSON Schemas of callers. */
export interface FormsSettings {
  /** Maximum size in bytes of a form, and of a schema with its data. */
  readonly maxBytes: number;
  readonly maxForms: number;
  /** Maximum number of earlier versions per form. */
  readonly maxVersions: number;
  /** Maximum wall time of a validation with a schema of a caller. */
  readonly validateTimeoutMs: number;
  /** Maximum heap of a validation with a schema of a caller. */
  readonly validateMemoryMb: number;
  /** Folders with YANG modules that other modules may import. */
  readonly yangPath: readonly string[];
  readonly tasks: TaskSettings;
}

/**
 * Settings for tasks. An origin is `https://host`, `https://host:port`, or `self` for the origin of this
 * server.
 */
export interface TaskSettings {
  readonly maxTasks: number;
  /** Origins of pages that may show a task in a frame. */
  readonly frameAncestors: readonly string[];
  /** Origins of pages that may receive the outcome of a task. */
  readonly messageOrigins: readonly string[];
}
