import { request } from 'undici';
import { noteReply } from './documented-replies.js';
import { keepOutput } from './leak-scan.js';

/** Content that a browser shows. */
export interface Page {
  readonly url: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** Targets of its links, absolute. */
  readonly links: readonly string[];
}

interface Cookie {
  readonly host: string;
  readonly name: string;
  readonly value: string;
  readonly path: string;
  readonly sameSite: string;
  /** The unmodified header. */
  readonly text: string;
}

/** Options of a `fetch` by a script of the page. */
interface FetchOptions {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * A browser reduced to cookies and navigation (RFC 6265bis at its strictest). It omits a SameSite=Strict
 * cookie when another site began the navigation or any of its redirects; it sends a Lax cookie with every
 * GET. It follows redirects and page refreshes. A site is a host.
 */
export class Browser {
  readonly cookies: Cookie[] = [];
  /** Requests in order: `<status> <url>` and the names of the cookies that were sent. */
  readonly trail: string[] = [];
  page: Page = { url: 'about:blank', status: 0, headers: {}, text: '', links: [] };

  /** Navigates to a typed URL. */
  type(url: string): Promise<Page> {
    return this.#navigate(url, undefined);
  }

  /** Follows a link of the page that is shown. */
  click(url: string): Promise<Page> {
    return this.#navigate(new URL(url, this.page.url).href, this.page.url);
  }

  /** A script of the page that is shown asks for something, as `fetch` does. */
  async fetch(url: string, { method = 'GET', body, headers = {} }: FetchOptions = {}): Promise<Page> {
    const target = new URL(url, this.page.url).href;
    const site = originOf(this.page.url, target);
    return this.#send(target, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      headers: {
        'sec-fetch-site': site,
        'sec-fetch-mode': 'cors',
        accept: '*/*',
        ...(method !== 'GET' && { origin: new URL(this.page.url).origin }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      isSameSite: site === 'same-origin',
      isNavigation: false,
    });
  }

  async #navigate(first: string, initiator: string | undefined): Promise<Page> {
    let url = first;
    const chain = initiator === undefined ? [] : [initiator];
    for (let hop = 0; hop < 10; hop += 1) {
      const sites = chain.map((one) => originOf(one, url));
      const isSameSite = !sites.includes('cross-site');
      const site = chain.length === 0 ? 'none' : isSameSite ? 'same-origin' : 'cross-site';
      const headers = { 'sec-fetch-site': site, 'sec-fetch-mode': 'navigate', accept: ACCEPT };
      const page = await this.#send(url, { method: 'GET', headers, isSameSite, isNavigation: true });
      const { location } = page.headers;
      if (page.status >= 300 && page.status < 400 && typeof location === 'string') {
        chain.push(url);
        url = new URL(location, url).href;
        continue;
      }
      this.page = page;
      const [, refresh] = /<meta http-equiv="refresh" content="0; url=([^"]*)">/.exec(page.text) ?? [];
      if (refresh === undefined) return page;
      return this.#navigate(new URL(plain(refresh), url).href, url);
    }
    throw new Error('too many redirects');
  }

  async #send(url: string, terms: SendTerms): Promise<Page> {
    const { method, body = null, isSameSite, isNavigation } = terms;
    const { hostname, pathname } = new URL(url);
    const sent = this.cookies
      .filter(({ host, path }) => host === hostname && `${pathname}/`.startsWith(path.replace(/\/?$/, '/')))
      .filter(({ sameSite }) => isSameSite || (isNavigation && sameSite === 'Lax'));
    const cookie = sent.map(({ name, value }) => `${name}=${value}`).join('; ');
    const reply = await request(url, {
      method: method as 'GET',
      headers: { ...terms.headers, ...(cookie !== '' && { cookie }) },
      body,
    });
    const { headers, statusCode: status } = reply;
    const text = await reply.body.text();
    this.trail.push(`${status} ${url.split('?')[0] ?? ''} [${sent.map(({ name }) => name).join(' ')}]`);
    for (const header of [headers['set-cookie'] ?? []].flat()) this.#keep(hostname, header);
    if (hostname === '127.0.0.1') {
      keepOutput('replies', `${JSON.stringify(headers)}\n${text}\n`);
      noteReply({ method, url, status, headers, text });
    }
    const links = [...text.matchAll(/<a href="([^"]*)"/g)].map(
      ([, link = '']) => new URL(plain(link), url).href,
    );
    return { url, status, headers, text, links };
  }

  #keep(host: string, text: string): void {
    const [pair = '', ...attributes] = text.split('; ');
    const [name = '', ...rest] = pair.split('=');
    const terms = new Map(
      attributes.map((one) => one.split('=')).map(([term = '', said = '']) => [term, said] as const),
    );
    const at = this.cookies.findIndex((one) => one.host === host && one.name === name);
    if (at >= 0) this.cookies.splice(at, 1);
    if (terms.get('Max-Age') === '0') return;
    this.cookies.push({
      host,
      name,
      text,
      value: rest.join('='),
      path: terms.get('Path') ?? '/',
      sameSite: terms.get('SameSite') ?? 'Lax',
    });
  }
}

interface SendTerms {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly isSameSite: boolean;
  readonly isNavigation: boolean;
}

const ACCEPT = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

function originOf(one: string, other: string): 'same-origin' | 'cross-site' {
  return new URL(one).hostname === new URL(other).hostname ? 'same-origin' : 'cross-site';
}

function plain(text: string): string {
  return text.replaceAll('&amp;', '&').replaceAll('&#39;', "'");
}
