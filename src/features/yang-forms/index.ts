import { callerKey } from '../../core/principal.js';
import { pointerTo } from '../../json/pointer.js';
// From its own module, because the index loads the compiler, which only its threads need.
import type { FormsSettings } from '../../settings/forms.js';
import { YangWorkers } from '../../yang/compile-in-worker.js';
import type { CompileJob, LimitName, ModuleName, SourceText, YangFault } from '../../yang/index.js';
import type { YangModelStore } from './store.js';
import { limitsOf } from './yang-limits.js';
import type { YangDiagnostic, YangRequest, YangSchemaJson } from './yang.js';

/** Result of a compilation; a complaint about a missing module names the module. */
export type YangCompilation =
  | { readonly schemas: readonly YangSchemaJson[]; readonly bundled?: readonly string[] }
  | { readonly complaints: readonly (YangDiagnostic & { readonly missing?: ModuleName })[] };

/** Modules for imports that neither the texts nor the folders provide. */
export interface FurtherModules {
  readonly texts?: readonly SourceText[];
  /** False to leave out the published modules of the package. */
  readonly bundled?: boolean;
}

/** Compiler in worker threads. */
export interface OpenYang {
  compile(request: YangRequest, further?: FurtherModules): Promise<YangCompilation>;
  close(): Promise<void>;
}

/** Where compiled models are stored, for the validation of data. */
interface ModelStorage {
  readonly models: YangModelStore;
  readonly now: () => number;
}

/**
 * Opens the compiler, which searches the folders of `yangPath` for imported modules. Stores each compiled model, so that
 * data can be validated by the model.
 */
export function openYang(
  { yangPath, yang }: Pick<FormsSettings, 'yangPath' | 'yang'>,
  { models, now }: ModelStorage,
): OpenYang {
  const workers = new YangWorkers({ milliseconds: yang.timeoutMs, megabytes: yang.memoryMb });
  const limits = limitsOf(yang);
  return {
    async compile(request, { texts = [], bundled = true } = {}) {
      const compiled = await workers.compile(
        { ...compileJobOf(request), directories: yangPath, texts, bundled, limits },
        callerKey(request.principal),
      );
      if ('faults' in compiled)
        return { complaints: compiled.faults.map((fault) => yangDiagnosticOf(fault, request)) };
      if (compiled.model) await models.save(compiled.model, now());
      return { schemas: compiled.modules, ...(compiled.bundled.length > 0 && { bundled: compiled.bundled }) };
    },
    close: () => workers.close(),
  };
}

function compileJobOf(
  request: YangRequest,
): Omit<CompileJob, 'directories' | 'texts' | 'bundled' | 'limits'> {
  const { texts, features, deviations, draft, dialect, content, path, target, lenient } = request;
  return {
    features,
    deviations,
    dialect,
    content,
    ...(draft !== undefined && { draft }),
    ...(path !== undefined && { path }),
    ...(target !== undefined && { target }),
    ...(lenient && { lenient }),
    sources: texts.map((text, at) => ({ file: `${TEXT_FILE_PREFIX}${at}`, text })),
  };
}

/** Prefix of the file name of a caller's text, before its index. No module can have such a name. */
const TEXT_FILE_PREFIX = '/yangData/';

/** Settings of the limits. The limit of the depth is fixed. */
const LIMIT_SETTINGS: Readonly<Partial<Record<LimitName, string>>> = {
  bytes: 'forms.yang.maxBytes',
  statements: 'forms.yang.maxStatements',
  nodes: 'forms.yang.maxNodes',
  milliseconds: 'forms.yang.timeoutMs',
  megabytes: 'forms.yang.memoryMb',
};

function yangDiagnosticOf(
  fault: YangFault,
  { features }: YangRequest,
): YangDiagnostic & { readonly missing?: ModuleName } {
  const { file, line, column, rule, limit, missing, feature } = fault;
  if (feature) {
    const { module, name } = feature;
    const ofModule = pointerTo('/features', module);
    const pointer =
      name === undefined ? ofModule : pointerTo(ofModule, (features[module] ?? []).indexOf(name));
    return { pointer, message: fault.message, isLimit: false };
  }
  const setting = limit && LIMIT_SETTINGS[limit];
  const advice = setting === undefined ? '' : `; send less, or ask the operator to raise ${setting}`;
  const message = fault.message + advice;
  const position = line > 0 ? `${line}:${column}: ` : '';
  const properties = { isLimit: rule === 'limit', ...(missing && { missing }) };
  if (file.startsWith(TEXT_FILE_PREFIX))
    return {
      ...properties,
      text: Number(file.slice(TEXT_FILE_PREFIX.length)),
      message: `${position}${message} (${rule})`,
    };
  const place = file === '' ? '' : `${file}:`;
  return { ...properties, message: `${place}${position}${message} (${rule})` };
}
