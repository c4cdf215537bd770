import type { YangDiagnostic, YangRequest, YangSchema } from '../../core/yang.js';
import {
  type CompileJob,
  type ModuleName,
  type SourceText,
  YangWorkers,
  type YangFault,
} from '../../yang/index.js';

/** Result of a compilation; a complaint about a missing module names the module. */
export type YangOutcome =
  | { readonly schemas: readonly YangSchema[] }
  | { readonly complaints: readonly (YangDiagnostic & { readonly missing?: ModuleName })[] };

/** Compiler in worker threads; `more` contains texts for imports that no folder provides. */
export interface OpenYang {
  compile(request: YangRequest, more?: readonly SourceText[]): Promise<YangOutcome>;
  close(): Promise<void>;
}

/** Opens the compiler for callers; it searches these folders for imported modules. */
export function openYang(directories: readonly string[]): OpenYang {
  const workers = new YangWorkers();
  return {
    async compile(request, more = []) {
      const compiled = await workers.compile({ ...jobOf(request), directories, texts: more });
      if ('faults' in compiled) return { complaints: compiled.faults.map(yangDiagnosticOf) };
      return { schemas: compiled.modules };
    },
    close: () => workers.close(),
  };
}

function jobOf(request: YangRequest): Omit<CompileJob, 'directories' | 'texts'> {
  const { texts, features, deviations, draft, content, path, target } = request;
  return {
    features,
    deviations,
    draft,
    content,
    ...(path !== undefined && { path }),
    ...(target !== undefined && { target }),
    sources: texts.map((text, at) => ({ file: `${TEXT}${at}`, text })),
    limits: {},
  };
}

/** File name prefix of a caller's text, before its index; no module can have such a name. */
const TEXT = '/yangData/';

function yangDiagnosticOf(fault: YangFault): YangDiagnostic & { readonly missing?: ModuleName } {
  const { file, line, column, rule, message, missing } = fault;
  const place = line > 0 ? `${line}:${column}: ` : '';
  const about = { isLimit: rule === 'limit', ...(missing && { missing }) };
  if (file.startsWith(TEXT))
    return { ...about, text: Number(file.slice(TEXT.length)), message: `${place}${message} (${rule})` };
  return { ...about, message: `${file}:${place}${message} (${rule})` };
}
