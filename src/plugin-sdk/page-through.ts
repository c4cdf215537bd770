import type { AdapterContext, OutboundRequest, UpstreamReply } from '../core/adapter.js';
import { Pager, type PagingBounds, type PagingRule } from '../core/paging.js';
import { Problem } from '../core/problem.js';
import { upstreamErrorKind } from '../core/transport-failure.js';

/** How to read a list with {@link pageThrough}. */
export interface PageTerms {
  readonly rule: PagingRule;
  /** Ends the reading. */
  readonly signal: AbortSignal;
  /** Limits, in place of 1,000 pages, 100,000 items, 64 MiB and 120 seconds. */
  readonly bounds?: Partial<PagingBounds>;
  /** Clock in milliseconds, for tests. */
  readonly now?: () => number;
}

/**
 * Reads a list of the orchestrator page by page, and yields the items of each page with its reply. A whole number that a double does
 * not keep is a `bigint`. Requests the next page when the loop asks for it, and never one outside of the base URL. Throws a Problem for
 * a status other than 2xx, for a page without the list, for pages that repeat, and beyond the limits.
 *
 * @example
 * ```ts
 * const rule = { by: 'next', items: '/results', at: '/next' } as const;
 * const request = { method: 'GET', path: '/api/dcim/devices/?limit=500', headers: { accept: 'application/json' } };
 * for await (const { items } of pageThrough(context, request, { rule, signal })) devices.push(...items);
 * ```
 */
export async function* pageThrough(
  context: Pick<AdapterContext, 'send' | 'linkedPath'>,
  request: OutboundRequest,
  { rule, signal, ...terms }: PageTerms,
): AsyncGenerator<{ readonly items: readonly unknown[]; readonly reply: UpstreamReply }> {
  const pager = new Pager(rule, terms);
  for (let next: string | undefined = request.path; next !== undefined;) {
    const path: string = next;
    const reply = await context.send({ ...request, path }, signal);
    if (reply.status < 200 || reply.status >= 300) throw pageProblem(reply);
    const added = pager.add(reply, {
      path,
      linkedPath: (link) => (context.linkedPath ? context.linkedPath(link, path) : pathOnly(link, path)),
    });
    yield { items: added.page.items, reply };
    next = added.next;
  }
}

function pageProblem({ status }: UpstreamReply): Problem {
  const { code, status: shown } = upstreamErrorKind(status);
  return new Problem(code, `the orchestrator answered a page of a list with ${status}`, { status: shown });
}

/** Resolves a link without a host, for a context without `linkedPath`. */
function pathOnly(link: string, path: string): string | undefined {
  const base = 'http://base.invalid';
  if (!URL.canParse(link, base + path)) return undefined;
  const { origin, pathname, search } = new URL(link, base + path);
  return origin === base ? pathname + search : undefined;
}
