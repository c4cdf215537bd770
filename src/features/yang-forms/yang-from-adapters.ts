import type { Principal } from '../../core/principal.js';
import type { AdmitQuery } from '../../http/limit-caller.js';
import { BoundedMap } from '../../lib/bounded-map.js';
import { nameOf } from '../../yang/diagnostic.js';
import type { ModuleName, SourceText } from '../../yang/index.js';
import type { FurtherModules, OpenYang, YangCompilation } from './index.js';
import { ModuleSearch, type SearchDeps, type SearchLimits } from './module-search.js';
import type { YangCompiler, YangDiagnostic } from './yang.js';

const DEFAULT_LIMITS: SearchLimits = { modules: 512, bytes: 32 * 1024 * 1024, milliseconds: 30_000 };

/** Maximum number of characters of the cached modules of all adapters together. */
const MAX_CACHED_CHARACTERS = 32 * 1024 * 1024;

/** Dependencies of the search for modules on orchestrators. */
type YangFromAdapters = Omit<SearchDeps, 'cache' | 'limits'> & {
  readonly limits?: Partial<SearchLimits>;
  /** Throws `forbidden` if the caller may not query adapters. */
  readonly requireQueryRole: (principal: Principal | undefined) => void;
  /** Counts the search, as one query, for the limits of the caller. */
  readonly admitQuery: AdmitQuery;
};

/** Creates a compiler that fetches missing modules through the adapter that the request names. */
export function yangFromAdapters(
  yang: OpenYang,
  { limits, requireQueryRole, admitQuery, ...deps }: YangFromAdapters,
): YangCompiler {
  const cache = new BoundedMap<string, string>({ maxEntries: Infinity, maxWeight: MAX_CACHED_CHARACTERS });
  return {
    async compile(request) {
      const { origin } = request;
      if (!origin) return yang.compile(request);
      // Before anything reveals whether the adapter exists.
      requireQueryRole(origin.principal);
      const end = await admitQuery(origin.adapterId, origin);
      const search = new ModuleSearch(origin, { ...deps, cache, limits: { ...DEFAULT_LIMITS, ...limits } });
      try {
        const result = await compileWithFetched((further) => yang.compile(request, further), search);
        if ('complaints' in result) return { complaints: result.complaints.map(withReason(search)) };
        return { ...result, fetched: search.found };
      } finally {
        search.close();
        end();
      }
    },
  };
}

/**
 * Compiles repeatedly until no new module is missing, because fetched modules may import further modules. Modules of the
 * package provide only what the orchestrator does not have.
 */
async function compileWithFetched(
  compile: (further: FurtherModules) => Promise<YangCompilation>,
  search: ModuleSearch,
): Promise<YangCompilation> {
  const texts: SourceText[] = [];
  const requested = new Set<string>();
  for (;;) {
    const result = await compile({ texts, bundled: false });
    const missing = missingModulesOf(result);
    if (missing.length === 0 || search.isAborted) return result;
    const wanted = missing.filter((module) => !requested.has(nameOf(module)));
    if (wanted.length === 0) return compile({ texts });
    for (const module of wanted) requested.add(nameOf(module));
    const found = await search.fetch(wanted);
    if (found.length === 0) return compile({ texts });
    texts.push(...found);
  }
}

function missingModulesOf(result: YangCompilation): readonly ModuleName[] {
  if (!('complaints' in result)) return [];
  const missing = result.complaints.flatMap((complaint) => complaint.missing ?? []);
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
