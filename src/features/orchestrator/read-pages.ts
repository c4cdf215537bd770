import type { UpstreamReply } from '../../core/adapter.js';
import type { Reply } from '../../core/operation.js';
import { Pager, type PageText } from '../../core/paging.js';
import { Problem } from '../../core/problem.js';
import {
  type AdapterRequest,
  type CallResult,
  executeCall,
  type OrchestratorManagerDeps,
} from './execute-call.js';
import { queryReply } from './query-reply.js';

/**
 * Reads all pages of a list, and returns the last page with the items of all of them. Each page is a query of its own: the access
 * rules, the queue, the cache and the limits of the adapter apply to it. Throws `invalid_request` if the adapter does not know
 * the pages of the path, what `executeCall` throws, and what {@link Pager} throws.
 */
export async function replyOfPages(request: AdapterRequest, deps: OrchestratorManagerDeps): Promise<Reply> {
  /** As bytes, which are joined in a fraction of the time of texts, and need a tenth of the memory of values. */
  const items: Buffer[] = [];
  let pages = 0;
  let pager: Pager | undefined;
  /** The latest page with a body: the reply has its form. */
  let form: UpstreamReply | undefined;
  /** Adds the reply to a page. Returns the path of the next one, or the reply to the caller. */
  const add = async (result: CallResult, path: string): Promise<string | Reply> => {
    const call = { ...request.call, path };
    if (result.last.status >= 300) return queryReply(result, { ...request, call });
    pager ??= pagerFor(result, request, deps);
    if (result.last.status !== 204) form = result.last;
    if (!form) return queryReply(result, { ...request, call });
    const { page, next } = pager.add(result.last, { path, linkedPath: result.linkedPath });
    pages += 1;
    const bytes = itemBytes(page);
    if (bytes) items.push(bytes);
    if (next !== undefined) return next;
    const last: UpstreamReply = { ...form, body: joinPages(page, items) };
    const reply = await queryReply({ ...result, last, cache: undefined }, { ...request, call });
    return {
      ...reply,
      outcome: `${reply.outcome ?? ''}, ${pages} ${pages === 1 ? 'page' : 'pages'}`,
    };
  };
  for (let { path } = request.call; ;) {
    const asked = path;
    const step = await executeCall({ ...request, call: { ...request.call, path } }, deps, (result) =>
      add(result, asked),
    );
    if (typeof step !== 'string') return step;
    path = step;
  }
}

function pagerFor(
  { adapter }: CallResult,
  { adapterId, call }: AdapterRequest,
  { now }: OrchestratorManagerDeps,
): Pager {
  const paging = adapter.paging?.(call.path);
  if (paging) return new Pager(paging.rule, { bounds: paging.bounds, now });
  const detail = `the adapter "${adapterId}" does not know how the list at this path is divided into pages`;
  throw new Problem('invalid_request', detail, {
    errors: [{ pointer: '/query/pages', message: 'is not possible for this path' }],
    advice: 'Leave out "pages", or ask the operator to set "paging" in the options of the adapter.',
  });
}

/** Returns the bytes of the items of a page, as the orchestrator wrote them; undefined for a page without items. */
export function itemBytes({ text, from, to }: PageText): Buffer | undefined {
  const items = text.slice(from + 1, to - 1);
  return /\S/.test(items) ? Buffer.from(items) : undefined;
}

/** Returns the JSON of the last page with the items of all pages. */
export function joinPages({ text, from, to }: PageText, items: readonly Uint8Array[]): Buffer {
  const comma = Buffer.from(',');
  const inner = items.flatMap((bytes, at) => (at === 0 ? [bytes] : [comma, bytes]));
  return Buffer.concat([Buffer.from(`${text.slice(0, from)}[`), ...inner, Buffer.from(`]${text.slice(to)}`)]);
}
