import type { CancelSignal } from './cancel-signal.js';
import type { Principal } from './principal.js';

/** YANG texts, and options for reading them. */
export interface YangRequest {
  readonly texts: readonly string[];
  /** Enabled features by module; a module that is not named has all features enabled. */
  readonly features: Readonly<Record<string, readonly string[]>>;
  /** Modules whose deviations apply. */
  readonly deviations: readonly string[];
  /** Node to start from; absent: the whole module. */
  readonly path?: string;
  /** Document to compile instead of the module's data, as {@link YangSchema.targets} names it. */
  readonly target?: string;
  readonly draft: '2020-12' | '07';
  /** Only configuration, or also state. */
  readonly content: 'config' | 'all';
  /** Source of modules that neither the texts nor the operator's folders contain; absent: no such source. */
  readonly origin?: YangOrigin;
}

/** An orchestrator that provides modules, with the caller and a signal that cancels the requests. */
export interface YangOrigin {
  readonly adapterId: string;
  readonly principal?: Principal;
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
  /** Other documents of the module: `rpc:NAME/input`, `notification:NAME`, ... */
  readonly targets: readonly string[];
}

/** One error in the texts. */
export interface YangDiagnostic {
  /** Index of the text; absent for a text from the operator's folders. */
  readonly text?: number;
  /** Location, rule and error, in one sentence. */
  readonly message: string;
  /** True if a limit was exceeded; the texts may be valid. */
  readonly isLimit: boolean;
}

/** Result of a compilation. */
export type YangResult =
  | {
      readonly schemas: readonly YangSchema[];
      /** `name@revision` of modules from the orchestrator; absent if the request names no orchestrator. */
      readonly fetched?: readonly string[];
    }
  | { readonly complaints: readonly YangDiagnostic[] };

/**
 * Compiles YANG outside of the main loop, within limits of time and memory. Never rejects because of the
 * content of a text. Rejects with the Problem of an orchestrator that is needed but unavailable.
 */
export interface YangCompiler {
  compile(request: YangRequest): Promise<YangResult>;
}
