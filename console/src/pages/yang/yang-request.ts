import type { ProblemError } from '../../api/problem.js';

/** A text that was given. */
export interface YangText {
  /** Of the file, or `pasted 1`. */
  readonly name: string;
  readonly text: string;
}

/** How it is to be converted, as one writes it. */
export interface YangOptions {
  /** Lines of `module: feature feature`. */
  readonly features: string;
  /** Names of modules, with spaces or commas in between. */
  readonly deviations: string;
  readonly path: string;
  readonly target: string;
  readonly content: string;
  readonly draft: string;
  readonly adapterId: string;
}

/** The body of `POST /json-forms/yangToSchema`; what is empty is left out. */
export function yangBody(
  texts: readonly YangText[],
  options: YangOptions,
): Readonly<Record<string, unknown>> {
  const { features, deviations, path, target, content, draft, adapterId } = options;
  const words = wordsOf(deviations);
  const byModule = featuresOf(features);
  const named = Object.entries({ path: path.trim(), target, adapterId }).filter(([, value]) => value !== '');
  return {
    yangData: texts.map(({ text }) => text),
    ...(content === 'all' && { content }),
    ...(draft === '07' && { draft }),
    ...(words.length > 0 && { deviations: words }),
    ...(Object.keys(byModule).length > 0 && { features: byModule }),
    ...Object.fromEntries(named),
  };
}

function featuresOf(text: string): Readonly<Record<string, readonly string[]>> {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const [module = '', rest = ''] = line.split(/:(.*)/s);
      return [module.trim(), wordsOf(rest)];
    }),
  );
}

function wordsOf(text: string): readonly string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}

/** One thing that is wrong with the texts, at its place. */
export interface YangFault {
  /** Which of the texts; undefined for a module from elsewhere. */
  readonly text: number | undefined;
  readonly line: number | undefined;
  readonly column: number | undefined;
  readonly message: string;
}

/** The faults that the server tells, each with its place. */
export function yangFaults(errors: readonly ProblemError[]): readonly YangFault[] {
  return errors.map(({ pointer, message }) => {
    const text = /^\/yangData\/(\d+)$/.exec(pointer)?.[1];
    const place = /^(\d+):(\d+): ([^]*)$/.exec(message);
    return {
      text: text === undefined ? undefined : Number(text),
      line: place ? Number(place[1]) : undefined,
      column: place ? Number(place[2]) : undefined,
      message: place?.[3] ?? message,
    };
  });
}
