/** A browser reduced to cookies, redirects and forms, for the pages of Keycloak. */
export class KeycloakBrowser {
  readonly #cookies = new Map<string, string>();
  /** URL and text of the page that is shown. */
  page = { url: 'about:blank', status: 0, text: '' };

  /** Navigates to a URL. Stops before a redirect to a URL that starts with `until`, and shows that URL. */
  async open(url: string, until?: string): Promise<string> {
    return this.#navigate(url, { method: 'GET' }, until);
  }

  /** Fills in the form of the page with these fields, and submits it. */
  async submit(fields: Readonly<Record<string, string>>, until?: string): Promise<string> {
    const [, action] = /<form[^>]*action="([^"]*)"/.exec(this.page.text) ?? [];
    if (action === undefined) throw new Error(`no form: ${this.page.url}\n${this.page.text.slice(0, 2000)}`);
    const hidden = [...this.page.text.matchAll(/<input[^>]*type="hidden"[^>]*>/g)].flatMap(([tag]) => {
      const [name, value] = ['name', 'value'].map((one) => new RegExp(` ${one}="([^"]*)"`).exec(tag)?.[1]);
      return name === undefined ? [] : [[name, decoded(value ?? '')] as const];
    });
    const body = new URLSearchParams({ ...Object.fromEntries(hidden), ...fields });
    return this.#navigate(new URL(decoded(action), this.page.url).href, { method: 'POST', body }, until);
  }

  /** Sends a request of a script of gatehouse with the cookies. Returns the status and the JSON of the reply. */
  async fetch(method: string, url: string, body?: object): Promise<{ status: number; json: unknown }> {
    const response = await fetch(url, {
      method,
      headers: {
        cookie: this.#cookieHeader(),
        'x-gatehouse-csrf': '1',
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    this.#keepCookies(response);
    return { status: response.status, json: await response.json() };
  }

  /** Returns the value of a cookie; undefined without one. */
  cookie(name: string): string | undefined {
    return this.#cookies.get(name);
  }

  #cookieHeader(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  #keepCookies(response: Response): void {
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line)?.slice(1) ?? [];
      if (value === '') this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
  }

  async #navigate(first: string, init: RequestInit, until: string | undefined): Promise<string> {
    let [url, request] = [first, init];
    for (let hop = 0; hop < 10; hop += 1) {
      const headers = { cookie: this.#cookieHeader() };
      const response = await fetch(url, { ...request, redirect: 'manual', headers });
      this.#keepCookies(response);
      const location = response.headers.get('location');
      this.page = { url, status: response.status, text: await response.text() };
      if (location === null) return url;
      const target = new URL(location, url).href;
      if (until !== undefined && target.startsWith(until)) return target;
      [url, request] = [target, { method: 'GET' }];
    }
    throw new Error(`too many redirects: ${url}`);
  }
}

function decoded(text: string): string {
  return text.replaceAll('&amp;', '&').replaceAll('&#39;', "'").replaceAll('&quot;', '"');
}
