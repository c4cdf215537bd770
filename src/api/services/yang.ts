import { callerKey } from '../../core/principal.js';
import type { YangDiagnostic, YangRequest, YangSchema } from '../../core/yang.js';
import {
  type CompileJob,
  type ModuleName,
  type SourceText,
  YangWorkers,
  type YangFault,
} from '../../yang/index.js';

/** Result of a compilation; a complaint about a missing module names the module. */
export type YangCompilation =
  | { readonly schemas: readonly YangSchema[] }
  | { readonly complaints: readonly (YangDiagnostic & { readonly missing?: ModuleName })[] };

/** Compiler in worker threads; `more` contains texts for imports that no folder provides. */
export interface OpenYang {
  compile(request: YangRequest, more?: readonly SourceText[]): Promise<YangCompilation>;
  close(): Promise<void>;
}

/** Opens the compiler, which searches these folders for imported modules. */
export function openYang(directories: readonly string[]): OpenYang {
  const workers = new YangWorkers();
  return {
    async compile(request, more = []) {
      const compiled = await workers.compile(
        { ...compileJobOf(request), directories, texts: more },
        callerKey(request.principal),
      );
      if ('faults' in compiled) return { complaints: compiled.faults.map(yangDiagnosticOf) };
      return { schemas: compiled.modules };
    },
    close: () => workers.close(),
  };
}

function compileJobOf(request: YangRequest): Omit<CompileJob, 'directories' | 'texts'> {
  const { texts, features, deviations, draft, content, path, target, lenient } = request;
  return {
    features,
    deviations,
    draft,
    content,
    ...(path !== undefined && { path }),
    ...(target !== undefined && { target }),
    ...(lenient && { lenient }),
    sources: texts.map((text, at) => ({ file: `${TEXT_FILE_PREFIX}${at}`, text })),
    limits: {},
  };
}

/** Prefix of the file name of a caller's text, before its index. No module can have such a name. */
const TEXT_FILE_PREFIX = '/yangData/';

function yangDiagnosticOf(fault: YangFault): YangDiagnostic & { readonly missing?: ModuleName } {
  const { file, line, column, rule, message, missing } = fault;
  const position = line > 0 ? `${line}:${column}: ` : '';
  const properties = { isLimit: rule === 'limit', ...(missing && { missing }) };
  if (file.startsWith(TEXT_FILE_PREFIX))
    return {
      ...properties,
      text: Number(file.slice(TEXT_FILE_PREFIX.length)),
      message: `${position}${message} (${rule})`,
    };
  return { ...properties, message: `${file}:${position}${message} (${rule})` };
}
