import type { ProblemError } from '../../api/problem.js';
import type { YangWarning } from './coverage.js';

export interface YangText {
  /** Name of the file, or `pasted 1`. */
  readonly name: string;
  readonly text: string;
}

/** Form library that shows the schema; `plain` is for validators and for the forms of gatehouse. */
export type Dialect = 'plain' | 'rjsf' | 'jsonforms';

/** Options of a conversion, as typed. */
export interface YangOptions {
  /** Lines of `module: feature feature`. */
  readonly features: string;
  /** Names of modules, separated by spaces or commas. */
  readonly deviations: string;
  readonly path: string;
  /** Documents to convert: the data of each module, of all modules in one document, or another document. */
  readonly document: 'modules' | 'datastore' | 'other';
  /** Name of the other document. */
  readonly target: string;
  readonly dialect: Dialect;
  readonly content: string;
  /** Empty for the default of the dialect. */
  readonly draft: string;
  readonly adapterId: string;
  /** Path of the data resource of the adapter; only sent with an adapter. */
  readonly mount: string;
  readonly isLenient: boolean;
}

/** Returns the body of `POST /json-forms/yangToSchema`; empty options are left out. */
export function yangBody(
  texts: readonly YangText[],
  options: YangOptions,
): Readonly<Record<string, unknown>> {
  const { features, deviations, path, content, draft, dialect, adapterId, isLenient } = options;
  const target = targetOf(options);
  const mount = adapterId === '' ? '' : options.mount.trim();
  const words = namesIn(deviations);
  const byModule = featuresOf(features);
  const named = Object.entries({ path: path.trim(), target, adapterId, mount }).filter(
    ([, value]) => value !== '',
  );
  return {
    yangData: texts.map(({ text }) => text),
    ...(content === 'all' && { content }),
    ...(dialect !== 'plain' && { dialect }),
    ...(draft !== '' && { draft }),
    ...(isLenient && { lenient: true }),
    ...(words.length > 0 && { deviations: words }),
    ...(Object.keys(byModule).length > 0 && { features: byModule }),
    ...Object.fromEntries(named),
  };
}

function targetOf({ document, target }: YangOptions): string {
  if (document === 'datastore') return 'datastore';
  return document === 'other' ? target.trim() : '';
}

function featuresOf(text: string): Readonly<Record<string, readonly string[]>> {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const [module = '', rest = ''] = line.split(/:(.*)/s);
      return [module.trim(), namesIn(rest)];
    }),
  );
}

function namesIn(text: string): readonly string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}

/** A fault in the texts, with its position. */
export interface YangFault {
  /** Index of the text; undefined for a module from elsewhere. */
  readonly text: number | undefined;
  readonly line: number | undefined;
  readonly column: number | undefined;
  readonly message: string;
}

/** Converts the errors of the server to faults with positions. */
export function yangFaults(errors: readonly ProblemError[]): readonly YangFault[] {
  return errors.map(({ pointer, message }) => {
    const text = /^\/yangData\/(\d+)$/.exec(pointer)?.[1];
    const match = /^(\d+):(\d+): ([^]*)$/.exec(message);
    return {
      text: text === undefined ? undefined : Number(text),
      line: match ? Number(match[1]) : undefined,
      column: match ? Number(match[2]) : undefined,
      message: match?.[3] ?? message,
    };
  });
}

/** One module in the reply of `POST /json-forms/yangToSchema`. */
export interface YangSchema {
  readonly module: string;
  readonly revision?: string;
  readonly namespace: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly uiSchema: Readonly<Record<string, unknown>>;
  readonly warnings: readonly YangWarning[];
  /** Number of all warnings by kind; `warnings` has the first ones. */
  readonly warningCounts?: Readonly<Record<string, number>>;
  readonly targets?: readonly string[];
}
