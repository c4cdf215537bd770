import { useMemo } from 'react';
import { useLocation } from 'wouter';
import type { ObservedCall } from '../../api/observe.js';
import { useRead } from '../../api/queries.js';
import { pathOf } from '../../api/request.js';
import { REQUEST_PARAMETER } from '../../kit/request-link.js';
import { pathOfAdapter } from '../../pages/adapters/adapter-path.js';
import { auditLink, REQUEST_ID } from '../../pages/audit/search.js';
import { formatTimeOfDay } from '../../text/span.js';
import { pageTextOf, type PlainKeyOf } from '../../text/text.js';
import { PAGES } from '../pages.js';
import { useSession } from '../session.js';
import { text } from '../shell-text.js';
import { chooseTheme, useSignOut } from '../user-menu.js';
import { type Entry, rankEntries } from './rank.js';

/** Maximum number of adapters, forms and calls that the server returns for a query. */
const LIMIT = 8;
/** Minimum length of a query for calls: shorter ones match nearly all of them. */
const MIN_CALL_WORDS = 3;

interface Entries {
  /** The best match first. */
  readonly entries: readonly Entry[];
  /** True while the server searches. */
  readonly isBusy: boolean;
  /** True if no result of the server can become the first entry. */
  readonly isFirstKnown: boolean;
}

export function useEntries(query: string): Entries {
  const { may } = useSession();
  const [, navigate] = useLocation();
  const wanted = query.trim();
  const fixed = useFixedEntries();
  const adapters = useRead<{ readonly results: readonly { readonly data: { readonly name: string } }[] }>(
    pathOf(['adapters'], { contains: wanted, containsField: 'name', limit: LIMIT }),
    { enabled: wanted !== '' && may('getAdapters') },
  );
  const forms = useRead<readonly { readonly id: string; readonly name: string }[]>(
    pathOf(['json-forms', 'forms'], { contains: wanted, containsField: 'name', limit: LIMIT }),
    { enabled: wanted !== '' && may('getForms') },
  );
  const calls = useRead<{ readonly calls: readonly ObservedCall[] }>(
    pathOf(['console', 'calls'], { contains: wanted, limit: LIMIT }),
    { enabled: wanted.length >= MIN_CALL_WORDS && may('getCalls') },
  );
  const found = useMemo((): readonly Entry[] => {
    const to = (path: string) => () => navigate(path);
    return [
      ...(adapters.data?.results ?? []).map(({ data: { name } }) => ({
        key: `adapter ${name}`,
        group: text('palette.adapters'),
        title: name,
        run: to(pathOfAdapter(name)),
      })),
      ...(forms.data ?? []).map(({ id, name }) => ({
        key: `form ${id}`,
        group: text('palette.forms'),
        title: name,
        run: to(`/forms/${encodeURIComponent(id)}`),
      })),
      ...(calls.data?.calls ?? []).map(({ requestId, at, adapter, about, status, caller }) => ({
        key: `call ${requestId} ${at}`,
        group: text('palette.calls'),
        title: text('palette.call', { about: about ?? '', adapter, status: String(status), caller }),
        detail: formatTimeOfDay(at),
        isForAnyQuery: true,
        run: to(pathOf(['adapters', adapter], { tab: 'calls', [REQUEST_PARAMETER]: requestId })),
      })),
    ];
  }, [adapters.data, forms.data, calls.data, navigate]);
  const audit: readonly Entry[] =
    wanted === '' || !may('getAudit')
      ? []
      : [
          {
            key: 'audit',
            group: text('palette.requests'),
            title: REQUEST_ID.test(wanted)
              ? text('palette.request', { id: wanted })
              : text('palette.audit', { query: wanted }),
            isForAnyQuery: true,
            run: () => navigate(auditPath(wanted)),
          },
        ];
  const isBusy = adapters.isLoading || forms.isLoading || calls.isLoading;
  const entries = rankEntries([...fixed, ...found, ...audit], query);
  return { entries, isBusy, isFirstKnown: !isBusy || fixed.some(({ key }) => key === entries[0]?.key) };
}

function auditPath(query: string): string {
  if (!REQUEST_ID.test(query)) return auditLink({ search: query });
  return pathOf(['audit'], { [REQUEST_PARAMETER]: query.toLowerCase() });
}

/** Returns the pages and actions, which do not depend on the query. */
function useFixedEntries(): readonly Entry[] {
  const { may } = useSession();
  const [, navigate] = useLocation();
  const signOut = useSignOut();
  const pages = PAGES.flatMap(({ path, area, key, needs }): Entry[] =>
    key === undefined || !may(needs)
      ? []
      : [
          {
            key: path,
            group: text('palette.pages'),
            title: pageTextOf(area)('title'),
            detail: `g ${key}`,
            run: () => navigate(path),
          },
        ],
  );
  const action = (title: PlainKeyOf<'shell'>, run: () => void): Entry => ({
    key: title,
    group: text('palette.actions'),
    title: text(title),
    run,
  });
  return [
    ...pages,
    ...(may('createAdapter') ? [action('palette.registerAdapter', () => navigate('/new-adapter'))] : []),
    ...(['auto', 'light', 'dark'] as const).map((theme) =>
      action(`theme.${theme}`, () => chooseTheme(theme)),
    ),
    action('signOut', signOut),
  ];
}
