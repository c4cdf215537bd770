import type { Principal } from '../../core/principal.js';
import type { CancelSignal } from '../../lib/cancel-signal.js';

/** YANG texts, and options for their compilation. */
export interface YangRequest {
  readonly texts: readonly string[];
  /** Enabled features by module; all features are enabled in other modules. */
  readonly features: Readonly<Record<string, readonly string[]>>;
  /** Modules whose deviations apply. */
  readonly deviations: readonly string[];
  /** Node to compile; absent: the complete module. */
  readonly path?: string;
  /**
   * Document to compile instead of the module's data: `datastore` for the data of all modules together, or an entry of
   * {@link YangSchema.targets}.
   */
  readonly target?: string;
  /** Draft of the schemas; absent: the default of the dialect. */
  readonly draft?: '2020-12' | '07';
  /** Form library that reads the schemas; `plain` for validators and gatehouse's own forms. */
  readonly dialect: 'plain' | 'rjsf' | 'jsonforms';
  /** Configuration nodes only, or also state nodes. */
  readonly content: 'config' | 'all';
  /** True to tolerate faults of published modules that leave no doubt about their meaning. */
  readonly lenient?: boolean;
  /** Caller of the compilation. The compilations of different callers are served in turn. */
  readonly principal?: Principal | undefined;
  /** Orchestrator that provides modules that neither the texts nor the operator's folders contain. */
  readonly origin?: YangOrigin;
}

/** An orchestrator that provides modules, with the caller and a signal that cancels the requests. */
export interface YangOrigin {
  readonly adapterId: string;
  /** Path of the data resource whose modules are used, for example of a mounted device; absent: `/restconf/data`. */
  readonly mount?: string;
  readonly principal?: Principal;
  /** Address of the caller. */
  readonly address: string;
  readonly signal: CancelSignal;
}

/** One main module as JSON Schema for its RFC 7951 documents. */
export interface YangSchema {
  readonly module: string;
  readonly revision: string | undefined;
  readonly namespace: string;
  readonly schema: object;
  readonly uiSchema: object;
  /** Rules that JSON Schema cannot express. */
  readonly warnings: readonly object[];
  /** Number of all warnings by kind of rule; `warnings` lists a limited number. */
  readonly warningCounts: Readonly<Record<string, number>>;
  /** Other documents of the module: `rpc:NAME/input`, `notification:NAME`, ... */
  readonly targets: readonly string[];
}

/** One main module as the JSON text of a {@link YangSchema} in UTF-8, because it may be large. */
export interface YangSchemaJson {
  readonly module: string;
  readonly json: Uint8Array;
}

export interface YangDiagnostic {
  /** Index of the text; absent for a text from the operator's folders. */
  readonly text?: number;
  /** JSON Pointer of a wrong choice in the request; absent for an error of a text. */
  readonly pointer?: string;
  /** Location, rule and error, in one sentence. */
  readonly message: string;
  /** True if a limit was exceeded; the texts may be valid. */
  readonly isLimit: boolean;
}

export type YangResult =
  | {
      readonly schemas: readonly YangSchemaJson[];
      /** `name@revision` of modules from the orchestrator; absent if the request names no orchestrator. */
      readonly fetched?: readonly string[];
      /** `name@revision` of modules from the package of gatehouse; absent without any. */
      readonly bundled?: readonly string[];
    }
  | { readonly complaints: readonly YangDiagnostic[] };

/**
 * Compiles YANG outside of the main thread, within limits of time and memory. Never rejects because of the
 * content of a text. Rejects with the Problem of an orchestrator that is required but unavailable.
 */
export interface YangCompiler {
  compile(request: YangRequest): Promise<YangResult>;
}
