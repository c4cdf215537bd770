import { withoutByteOrderMark } from '../json/byte-order-mark.js';
import { textOfValue } from '../json/json-members.js';
import { sizeOfJson } from '../json/json-size.js';
import { valueAt } from '../json/pointer.js';
import { readStoredJson } from '../json/strict-json.js';
import { nextLink } from '../lib/link-header.js';
import type { HttpReply } from './http.js';
import { Problem } from './problem.js';

/** How an orchestrator divides a list into pages. */
export interface PagingRule {
  /**
   * What leads to the next page. `link`: the header `Link` (RFC 8288). `next`: a URI in the body, at `at`. `offset`: the number of
   * items so far, in `parameter`. `page`: the number of the page, in `parameter`. `cursor`: a value in the body, at `at`, which
   * goes into `parameter`. `header`: the same with the header that `at` names.
   */
  readonly by: 'link' | 'next' | 'offset' | 'page' | 'cursor' | 'header';
  /** JSON pointer to the list in a page; empty, the default, for a page that is the list. */
  readonly items?: string;
  /** JSON pointer to what leads to the next page, or the name of its header. */
  readonly at?: string;
  /** Query parameter for the next page. */
  readonly parameter?: string;
  /** Offset or number of the first page; default: 0 for an offset, 1 for a page. */
  readonly first?: number;
  /** JSON pointer to the number of all items, which saves the request for an empty last page. */
  readonly total?: string;
  /** JSON pointer to a boolean that is true before the last page. */
  readonly more?: string;
}

/** Limits of one list. A list beyond them is refused, because a part of it would look complete. */
export interface PagingBounds {
  readonly maxPages: number;
  readonly maxItems: number;
  /** Maximum size of all pages, in bytes. */
  readonly maxBytes: number;
  /** Time after which no further page is requested, in milliseconds. */
  readonly maxMs: number;
}

export const DEFAULT_PAGING_BOUNDS: PagingBounds = {
  maxPages: 1_000,
  maxItems: 100_000,
  maxBytes: 67_108_864,
  maxMs: 120_000,
};

/** The text of one page of a list. */
export interface PageText {
  /** The JSON of the page, and where its list begins and ends. */
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** One page of a list. */
export interface ListPage extends PageText {
  readonly items: readonly unknown[];
}

/** Path of a request, and the function that makes a path of a URI in its reply; undefined for one outside of the base URL. */
interface PageRequest {
  readonly path: string;
  readonly linkedPath: (link: string) => string | undefined;
}

interface PagerTerms {
  readonly bounds?: Partial<PagingBounds> | undefined;
  /** Clock in milliseconds; default: the monotonic clock. */
  readonly now?: (() => number) | undefined;
}

/** Reads the pages of one list, within bounds. Requests nothing itself. */
export class Pager {
  readonly #rule: PagingRule;
  readonly #bounds: PagingBounds;
  readonly #now: () => number;
  readonly #startedAt: number;
  readonly #seen = new Set<string>();
  #pages = 0;
  #items = 0;
  #bytes = 0;
  #previous = '';
  /** The latest page without its items. */
  #frame: PageText = { text: '[]', from: 0, to: 2 };

  constructor(rule: PagingRule, { bounds, now = () => performance.now() }: PagerTerms = {}) {
    this.#rule = rule;
    this.#bounds = { ...DEFAULT_PAGING_BOUNDS, ...bounds };
    this.#now = now;
    this.#startedAt = now();
  }

  /**
   * Returns a page, and the path of the next one; without a path, the page is the last. A 204 is an empty page, and ends the list.
   * Throws `upstream_bad_reply` for a reply
   * without the list, for a next page outside of the base URL and for one that was read before, and `upstream_too_large` or
   * `upstream_timeout` beyond the bounds.
   */
  add(reply: HttpReply, request: PageRequest): { readonly page: ListPage; readonly next?: string } {
    this.#pages += 1;
    this.#seen.add(request.path);
    if (reply.status === 204) return { page: { ...this.#frame, items: [] } };
    this.#bytes += reply.body.length;
    this.#requireBound('maxBytes', this.#bytes, 'bytes');
    const { page, document } = this.#read(reply);
    this.#items += page.items.length;
    this.#requireBound('maxItems', this.#items, 'items');
    this.#requireProgress(page);
    this.#frame = withoutItems(page);
    const next = this.#nextPath(document, { page, reply, request });
    if (next === undefined) return { page };
    if (this.#seen.has(next) && !this.#isByToken())
      throw this.#badReply('leads back to a page that was read before');
    this.#requireBound('maxPages', this.#pages + 1, 'pages');
    const { maxMs } = this.#bounds;
    if (this.#now() - this.#startedAt > maxMs)
      throw new Problem('upstream_timeout', `the list was not read in ${maxMs} ms (${this.#pages} pages)`, {
        advice: NARROW,
      });
    return { page, next };
  }

  #read({ body }: HttpReply): { readonly page: ListPage; readonly document: unknown } {
    // The process reads a page at once.
    const { values, costly } = sizeOfJson(body, { most: MAX_PAGE_VALUES, mostCostly: MAX_COSTLY_VALUES });
    if (values > MAX_PAGE_VALUES || costly > MAX_COSTLY_VALUES)
      throw new Problem(
        'upstream_too_large',
        `page ${this.#pages} of the list has more than ${MAX_PAGE_VALUES} values, or ${MAX_COSTLY_VALUES} that take long to read`,
        {
          advice: 'Ask for smaller pages, for example with a limit in the path.',
        },
      );
    const text = withoutByteOrderMark(body).toString();
    const pointer = this.#rule.items ?? '';
    let document: unknown;
    try {
      document = readStoredJson(text);
    } catch {
      throw this.#badReply('is not JSON');
    }
    const items = valueAt(document, pointer);
    const place = textOfValue(text, pointer);
    if (!Array.isArray(items) || !place)
      throw this.#badReply(
        `has no list at "${pointer}"; the operator sets the place with "items" of "paging"`,
      );
    return { page: { items, text, ...place }, document };
  }

  /** Throws for a page with the items of the page before it: the orchestrator ignores the parameter. */
  #requireProgress({ items, text, from, to }: ListPage): void {
    const { by } = this.#rule;
    if (by === 'link' || by === 'next') return;
    const content = text.slice(from, to);
    if (items.length > 0 && content === this.#previous)
      throw this.#badReply(
        'has the same items as the page before it, so the orchestrator ignores the parameter',
      );
    this.#previous = content;
  }

  /** Returns true if a request may be repeated: some tokens stay equal while the list advances. */
  #isByToken(): boolean {
    return this.#rule.by === 'cursor' || this.#rule.by === 'header';
  }

  #nextPath(
    document: unknown,
    {
      page,
      reply,
      request,
    }: { readonly page: ListPage; readonly reply: HttpReply; readonly request: PageRequest },
  ): string | undefined {
    const { by, at = '', more } = this.#rule;
    if (more !== undefined && valueAt(document, more) !== true) return undefined;
    switch (by) {
      case 'link':
        return this.#pathOf(nextLink(reply.headers['link']), request);
      case 'next':
        return this.#pathOf(this.#tokenOf(valueAt(document, at)), request);
      case 'cursor':
        return this.#withParameter(request.path, this.#tokenOf(valueAt(document, at)));
      case 'header':
        return this.#withParameter(request.path, [reply.headers[at.toLowerCase()] ?? []].flat()[0]);
      default:
        return this.#countedPath(document, page.items.length, request.path);
    }
  }

  #pathOf(link: string | undefined, { linkedPath }: PageRequest): string | undefined {
    if (link === undefined || link === '') return undefined;
    const path = linkedPath(link);
    if (path !== undefined) return path;
    throw this.#badReply(`names a next page outside of the base URL: ${link.slice(0, MAX_SHOWN_LENGTH)}`);
  }

  #tokenOf(value: unknown): string | undefined {
    if (value === undefined || value === null || value === false || value === '') return undefined;
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint')
      return String(value);
    throw this.#badReply(`has something else than a text at "${this.#rule.at ?? ''}"`);
  }

  #withParameter(path: string, value: string | undefined): string | undefined {
    return value === undefined || value === '' ? undefined : withParameter(path, this.#parameter, value);
  }

  get #parameter(): string {
    return this.#rule.parameter ?? this.#rule.by;
  }

  /** Returns the path of the next page by offset or number. Without a known total, the list ends with an empty page. */
  #countedPath(document: unknown, count: number, path: string): string | undefined {
    const { by, first = by === 'page' ? 1 : 0, total } = this.#rule;
    const written = parameterIn(path, this.#parameter) ?? '';
    const present = /^\d{1,15}$/.test(written) ? Number(written) : first;
    const isAll = total !== undefined && Number(valueAt(document, total)) === this.#items;
    if (count === 0 || isAll) return undefined;
    return withParameter(path, this.#parameter, String(present + (by === 'page' ? 1 : count)));
  }

  #requireBound(name: 'maxBytes' | 'maxItems' | 'maxPages', value: number, unit: string): void {
    const limit = this.#bounds[name];
    if (value <= limit) return;
    const detail = `the list has more than ${limit} ${unit} (paging, ${name})`;
    throw new Problem('upstream_too_large', detail, { advice: NARROW });
  }

  #badReply(what: string): Problem {
    return new Problem('upstream_bad_reply', `page ${this.#pages} of the list ${what}`, {
      advice:
        'Ask the operator to compare "paging" of the adapter with the documentation of the orchestrator.',
    });
  }
}

const NARROW = 'Ask for less, for example with a filter in the path, or read the pages one by one.';

/** Maximum number of members, elements, objects and arrays of one page. */
const MAX_PAGE_VALUES = 100_000;
/** Maximum number of those that take several times as long as others: members with names that no object has, and long numbers. */
const MAX_COSTLY_VALUES = 20_000;

/** Maximum length of a link in a message, in characters. */
const MAX_SHOWN_LENGTH = 200;

function withoutItems({ text, from, to }: PageText): PageText {
  return { text: `${text.slice(0, from)}[]${text.slice(to)}`, from, to: from + 2 };
}

/** Returns the decoded value of a query parameter of a path; undefined without one. */
function parameterIn(path: string, name: string): string | undefined {
  const at = path.indexOf('?');
  return at < 0 ? undefined : (new URLSearchParams(path.slice(at + 1)).get(name) ?? undefined);
}

/** Returns a path with another value of a query parameter. The rest of the query stays as it is written. */
function withParameter(path: string, name: string, value: string): string {
  const [before = '', query = ''] = path.split(/\?(.*)/s);
  const others = query.split('&').filter((pair) => pair !== '' && !new URLSearchParams(pair).has(name));
  return `${before}?${[...others, `${encodeURIComponent(name)}=${encodeURIComponent(value)}`].join('&')}`;
}
