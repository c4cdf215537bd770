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

  async #navigate(first: string, init: RequestInit, until: string | undefined): Promise<string> {
    let [url, request] = [first, init];
    for (let hop = 0; hop < 10; hop += 1) {
      const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await fetch(url, { ...request, redirect: 'manual', headers: { cookie } });
      for (const line of response.headers.getSetCookie()) {
        const [name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line)?.slice(1) ?? [];
        this.#cookies.set(name, value);
      }
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
