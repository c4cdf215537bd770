import type { YangCompiler, YangComplaint, YangRequest } from './domain/yang.js';
import { type CompileJob, YangWorkers, type YangFault } from './yang/index.js';

/** The compiler for callers; imported modules are looked for in these folders. */
export function openYang(directories: readonly string[]): YangCompiler & { close(): Promise<void> } {
  const workers = new YangWorkers();
  return {
    async compile(request) {
      const compiled = await workers.compile(jobOf(request, directories));
      if ('faults' in compiled) return { complaints: compiled.faults.map(complaintOf) };
      const schemas = compiled.modules.map(({ module, revision, namespace, schema, uiSchema, warnings }) => ({
        ...{ module, revision, namespace, schema, uiSchema, warnings },
      }));
      return { schemas };
    },
    close: () => workers.close(),
  };
}

function jobOf({ texts, path, ...options }: YangRequest, directories: readonly string[]): CompileJob {
  return {
    ...options,
    ...(path !== undefined && { path }),
    sources: texts.map((text, at) => ({ file: `${TEXT}${at}`, text })),
    directories,
    content: 'config',
    limits: {},
  };
}

/** Name of a caller's text, before its index; no module can be called so. */
const TEXT = '/yangData/';

function complaintOf({ file, line, column, rule, message }: YangFault): YangComplaint {
  const place = line > 0 ? `${line}:${column}: ` : '';
  const isLimit = rule === 'limit';
  if (file.startsWith(TEXT))
    return { text: Number(file.slice(TEXT.length)), message: `${place}${message} (${rule})`, isLimit };
  return { message: `${file}:${place}${message} (${rule})`, isLimit };
}
