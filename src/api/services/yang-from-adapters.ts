import type { YangCompiler, YangDiagnostic } from '../../core/yang.js';
import { TextCache } from './text-cache.js';
import { ModuleSearch, type SearchDeps, type SearchLimits } from './module-search.js';
import type { OpenYang, YangOutcome } from './yang.js';
import { type ModuleName, nameOf, type SourceText } from '../../yang/index.js';

const LIMITS: SearchLimits = { modules: 512, bytes: 32 * 1024 * 1024, milliseconds: 30_000 };

/** Maximum number of cached characters of fetched modules, for all adapters together. */
const KEPT_CHARACTERS = 32 * 1024 * 1024;

/** Dependencies of the search for modules on orchestrators. */
export type YangFromAdapters = Omit<SearchDeps, 'kept' | 'limits'> & {
  readonly limits?: Partial<SearchLimits>;
};

/** Extends the compiler: fetches missing modules through the adapter that the request names. */
export function yangFromAdapters(
  yang: Pick<OpenYang, 'compile'>,
  { limits, ...deps }: YangFromAdapters,
): YangCompiler {
  const kept = new TextCache(KEPT_CHARACTERS);
  return {
    async compile(request) {
      const { origin } = request;
      if (!origin) return yang.compile(request);
      const search = new ModuleSearch(origin, { ...deps, kept, limits: { ...LIMITS, ...limits } });
      try {
        const outcome = await completed((more) => yang.compile(request, more), search);
        if ('complaints' in outcome) return { complaints: outcome.complaints.map(withReason(search)) };
        return { ...outcome, fetched: search.found };
      } finally {
        search.close();
      }
    },
  };
}

/** Compiles again with the fetched modules until no new module is missing: fetched modules import others. */
async function completed(
  compile: (more: readonly SourceText[]) => Promise<YangOutcome>,
  search: ModuleSearch,
): Promise<YangOutcome> {
  const more: SourceText[] = [];
  const tried = new Set<string>();
  for (;;) {
    const outcome = await compile(more);
    const wanted = missingIn(outcome).filter((module) => !tried.has(nameOf(module)));
    if (wanted.length === 0 || search.isOver) return outcome;
    for (const module of wanted) tried.add(nameOf(module));
    const found = await search.fetch(wanted);
    if (found.length === 0) return outcome;
    more.push(...found);
  }
}

function missingIn(outcome: YangOutcome): readonly ModuleName[] {
  if (!('complaints' in outcome)) return [];
  const missing = outcome.complaints.flatMap((complaint) => complaint.missing ?? []);
  return [...new Map(missing.map((module) => [nameOf(module), module])).values()];
}

function withReason(
  search: ModuleSearch,
): (complaint: YangDiagnostic & { missing?: ModuleName }) => YangDiagnostic {
  return ({ missing, ...complaint }) => {
    const reason = missing && search.reasonFor(missing);
    return reason === undefined ? complaint : { ...complaint, message: `${complaint.message}; ${reason}` };
  };
}
