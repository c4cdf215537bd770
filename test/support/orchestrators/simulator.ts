import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { text } from 'node:stream/consumers';
import type { Certificate } from '../certificates.js';
import { listenOnLoopback } from '../loopback.js';
import type { Answer, LoginRequest, OrchestratorDefinition } from './definition.js';

/**
 * An orchestrator on loopback, over TLS, that demands the login of its definition and answers every call that
 * has it.
 */
export interface Simulator {
  readonly url: string;
  /** Method and target of every call that was carried out, in order. */
  readonly done: readonly string[];
  readonly issued: readonly string[];
  logins(): number;
  refusedLogins(): number;
  /** Ends all sessions; later calls with them get this reply. */
  endSessions(ending: Answer): void;
  close(): Promise<void>;
}

interface Session {
  readonly token: string;
  readonly xsrf: string;
  /** Number of login requests that the client has completed. */
  steps: number;
}

interface Arrival {
  readonly request: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export async function startSimulator(
  definition: OrchestratorDefinition,
  { key, cert }: Certificate,
): Promise<Simulator> {
  const { login, carries, example } = definition;
  const none: Session = { token: '', xsrf: '', steps: 0 };
  const sessions = new Set<Session>(login.length === 0 ? [none] : []);
  const done: string[] = [];
  const issued: string[] = [];
  let [ending] = definition.endings;
  let [logins, refused] = [0, 0];

  function openFor({ headers }: Arrival, wanted: LoginRequest['headers']): Session | undefined {
    if (!hasHeaders(headers, wanted, none)) return undefined;
    const suffix = `${issued.length + 1}-of-${example}`;
    const session = { token: `token-${suffix}`, xsrf: `xsrf-${suffix}`, steps: 0 };
    issued.push(session.token, session.xsrf);
    return session;
  }
  const sessionOf = ({ headers }: Arrival, steps: number, wanted: LoginRequest['headers']) =>
    [...sessions].find((one) => one.steps === steps && hasHeaders(headers, wanted, one));

  function logIn(step: number, arrival: Arrival): readonly [Answer, Session] {
    const { headers, body, gives, refuses } = login[step]!;
    const session = step > 0 ? sessionOf(arrival, step, headers) : openFor(arrival, headers);
    if (!session || arrival.body !== body) {
      refused += 1;
      return [refuses, none];
    }
    session.steps += 1;
    sessions.add(session);
    if (session.steps === login.length) logins += 1;
    return [gives, session];
  }
  function answer(arrival: Arrival): readonly [Answer, Session] {
    const step = login.findIndex(({ request }) => request === arrival.request);
    if (step >= 0) return logIn(step, arrival);
    if (!sessionOf(arrival, login.length, carries)) return [ending, none];
    done.push(arrival.request);
    const reply = JSON.stringify({ request: arrival.request });
    return [{ status: 200, headers: { 'content-type': 'application/json' }, body: reply }, none];
  }

  const server = createServer({ key, cert }, (request, response) => {
    void serve(request, response).catch(() => response.destroy());
  });
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    const [{ status, headers: given = {}, body = '' }, session] = answer({
      request: `${method} ${url}`,
      headers,
      body: await text(request),
    });
    const filled = Object.entries(given).map(([name, value]) => [name, fill(value, session)] as const);
    response.writeHead(status, Object.fromEntries(filled)).end(fill(body, session));
  }
  const { port, close } = await listenOnLoopback(server);
  return {
    url: `https://127.0.0.1:${port}`,
    done,
    issued,
    logins: () => logins,
    refusedLogins: () => refused,
    endSessions(next) {
      ending = next;
      sessions.clear();
    },
    close,
  };
}

const CREDENTIALS = ['authorization', 'cookie'];

function hasHeaders(
  headers: IncomingMessage['headers'],
  wanted: LoginRequest['headers'],
  session: Session,
): boolean {
  const hasAll = Object.entries(wanted).every(([name, value]) => headers[name] === fill(value, session));
  return hasAll && CREDENTIALS.every((name) => name in wanted || headers[name] === undefined);
}

function fill(template: string, { token, xsrf }: Session): string {
  return template.replaceAll('{token}', token).replaceAll('{xsrf}', xsrf);
}
