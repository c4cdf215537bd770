import type { IncomingHttpHeaders, ServerResponse } from 'node:http';

/** Credentials that a request must have. */
export type Demand = 'none' | 'basic' | 'key-header' | 'key-query' | 'oauth2' | 'token' | 'cookie' | 'xsrf';

/** An unmodified request. */
export interface Arrival {
  readonly method: string;
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Authenticates requests and opens sessions. */
export interface Guard {
  /** Status for requests without a session: some orchestrators use 403. */
  readonly refusal: 401 | 403;
  readonly issued: readonly string[];
  isLogin(target: string): boolean;
  admits(arrival: Arrival): boolean;
  logIn(arrival: Arrival, response: ServerResponse): void;
  refusedLogins(): number;
  revoke(): void;
}

const BASIC = `Basic ${Buffer.from('ada:s3cret-of-ada').toString('base64')}`;
const LOGINS = ['/oauth/token', '/api/login', '/session', '/session/token'];

/** Creates a guard with one account. */
export function createGuard(demand: Demand, lifeSeconds?: number): Guard {
  const issued: string[] = [];
  const sessions = new Map<string, { xsrf?: string }>();
  let refused = 0;
  const issue = (kind: string): string => {
    const token = `${kind}-${issued.length + 1}-${'x'.repeat(24)}`;
    issued.push(token);
    return token;
  };
  const open = (kind: string): string => {
    const token = issue(kind);
    sessions.set(token, {});
    return token;
  };
  const life = lifeSeconds === undefined ? {} : { expires_in: lifeSeconds };

  const logins: Readonly<Record<string, (arrival: Arrival) => LoginReply>> = {
    '/oauth/token': ({ headers, body }) => {
      const fields = fieldsOf(headers, body);
      const knows = headers.authorization === BASIC || fields['client_secret'] === 's3cret-of-ada';
      if (!knows || fields['grant_type'] !== 'client_credentials')
        return { status: 401, json: { error: 'invalid_client', error_description: 'no s3cret-of-ada' } };
      return { status: 200, json: { access_token: open('oauth'), token_type: 'Bearer', ...life } };
    },
    '/api/login': ({ headers, body }) => {
      const { password } = fieldsOf(headers, body);
      if (password !== 's3cret-of-ada' && headers.authorization !== BASIC) return { status: 401, json: {} };
      return { status: 201, json: { data: [{ token: open('token') }], ...life } };
    },
    '/session': ({ headers, body }) => {
      if (fieldsOf(headers, body)['j_password'] !== 's3cret-of-ada')
        return { status: 200, text: '<html>Log in' };
      return { status: 200, text: '', cookie: `JSESSIONID=${open('cookie')}; Path=/; HttpOnly` };
    },
    '/session/token': ({ headers }) => {
      const session = sessions.get(cookieOf(headers));
      if (!session) return { status: 200, text: '<html>Log in' };
      session.xsrf = issue('xsrf');
      return { status: 200, text: session.xsrf };
    },
  };

  return {
    refusal: demand === 'xsrf' ? 403 : 401,
    issued,
    isLogin: (target) => LOGINS.includes(target.split('?', 1)[0] ?? ''),
    admits: ({ headers, target }) => {
      const session = sessions.get(cookieOf(headers));
      switch (demand) {
        case 'none':
          return true;
        case 'basic':
          return headers.authorization === BASIC;
        case 'key-header':
          return headers['x-api-key'] === 'k3y-of-ada';
        case 'key-query':
          return new URL(target, 'http://x').searchParams.get('apikey') === 'k3y-of-ada';
        case 'oauth2':
          return sessions.has((headers.authorization ?? '').replace('Bearer ', ''));
        case 'token':
          return sessions.has(String(headers['x-auth-token']));
        case 'cookie':
          return session !== undefined;
        case 'xsrf':
          return session?.xsrf !== undefined && session.xsrf === headers['x-xsrf-token'];
      }
    },
    logIn(arrival, response) {
      const reply = logins[arrival.target.split('?', 1)[0] ?? '']?.(arrival) ?? { status: 404 };
      if (reply.status >= 400 || reply.text?.startsWith('<html>')) refused += 1;
      const type = reply.json ? 'application/json' : 'text/plain';
      response.writeHead(reply.status, {
        'content-type': type,
        ...(reply.cookie !== undefined && { 'set-cookie': reply.cookie }),
      });
      response.end(reply.json ? JSON.stringify(reply.json) : reply.text);
    },
    refusedLogins: () => refused,
    revoke() {
      sessions.clear();
    },
  };
}

interface LoginReply {
  readonly status: number;
  readonly json?: unknown;
  readonly text?: string;
  readonly cookie?: string;
}

function cookieOf({ cookie = '' }: IncomingHttpHeaders): string {
  return /(?:^|; )JSESSIONID=([^;]*)/.exec(cookie)?.[1] ?? '';
}

/** Fields of a body, in either encoding. */
function fieldsOf(headers: IncomingHttpHeaders, body: string): Readonly<Record<string, unknown>> {
  if (headers['content-type'] !== 'application/json') return Object.fromEntries(new URLSearchParams(body));
  return JSON.parse(body) as Readonly<Record<string, unknown>>;
}
