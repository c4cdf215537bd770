/** YANG texts, and how they are to be read. */
export interface YangRequest {
  readonly texts: readonly string[];
  /** Features that are on, by module; of a module that is not named, all are. */
  readonly features: Readonly<Record<string, readonly string[]>>;
  /** Modules whose deviations apply. */
  readonly deviations: readonly string[];
  /** Node to start from; absent: the whole module. */
  readonly path?: string;
  readonly draft: '2020-12' | '07';
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
}

/** One thing that is wrong with the texts. */
export interface YangComplaint {
  /** Index of the text; absent for one that came from the operator's folders. */
  readonly text?: number;
  /** Place, rule and what is wrong, in one sentence. */
  readonly message: string;
  /** True when a limit was passed, and nothing is known to be wrong. */
  readonly isLimit: boolean;
}

/** Compiles YANG away from the main loop, within limits of time and memory; never rejects because of what a text holds. */
export interface YangCompiler {
  compile(
    request: YangRequest,
  ): Promise<{ readonly schemas: readonly YangSchema[] } | { readonly complaints: readonly YangComplaint[] }>;
}
