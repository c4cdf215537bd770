import type { CancelSignal } from './cancel-signal.js';
import type { Principal } from './principal.js';

/** YANG texts, and how they are to be read. */
export interface YangRequest {
  readonly texts: readonly string[];
  /** Features that are on, by module; of a module that is not named, all are. */
  readonly features: Readonly<Record<string, readonly string[]>>;
  /** Modules whose deviations apply. */
  readonly deviations: readonly string[];
  /** Node to start from; absent: the whole module. */
  readonly path?: string;
  /** Another document than the module's data, as {@link YangSchema.targets} names it. */
  readonly target?: string;
  readonly draft: '2020-12' | '07';
  /** Configuration alone, or state as well. */
  readonly content: 'config' | 'all';
  /** Where modules are looked for that neither the texts nor the operator's folders hold; absent: nowhere. */
  readonly origin?: YangOrigin;
}

/** An orchestrator that has modules, on whose behalf it is asked, and what ends that. */
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
  /** What JSON Schema cannot say. */
  readonly warnings: readonly object[];
  /** Other documents of the module: `rpc:NAME/input`, `notification:NAME`, ... */
  readonly targets: readonly string[];
}

/** One thing that is wrong with the texts. */
export interface YangDiagnostic {
  /** Index of the text; absent for one that came from the operator's folders. */
  readonly text?: number;
  /** Place, rule and what is wrong, in one sentence. */
  readonly message: string;
  /** True when a limit was passed, and nothing is known to be wrong. */
  readonly isLimit: boolean;
}

/** What came of a compilation. */
export type YangResult =
  | {
      readonly schemas: readonly YangSchema[];
      /** `name@revision` of modules that came from the orchestrator; absent when none was named. */
      readonly fetched?: readonly string[];
    }
  | { readonly complaints: readonly YangDiagnostic[] };

/**
 * Compiles YANG away from the main loop, within limits of time and memory; never rejects because of what a text holds.
 * Rejects with the Problem of an orchestrator that is needed and cannot be asked.
 */
export interface YangCompiler {
  compile(request: YangRequest): Promise<YangResult>;
}
