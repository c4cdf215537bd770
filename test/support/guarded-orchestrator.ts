import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { actOut, createFaults, type Fault } from './guarded-orchestrator/faults.js';
import { type Arrival, createGuard, type Demand, type Guard } from './guarded-orchestrator/guard.js';
import { listenOnLoopback } from './loopback.js';

/** An orchestrator on loopback that requires a login of one kind and fails on demand. */
export interface GuardedOrchestrator {
  readonly url: string;
  /** Method and target of every request that was carried out, logins apart, in order. */
  readonly done: readonly string[];
  /** Every request that was read to its end, logins included. */
  readonly arrivals: readonly Arrival[];
  /** Connections that are open. */
  connections(): number;
  /** All issued tokens and cookies, in order. */
  readonly issued: readonly string[];
  refusedLogins(): number;
  /** Ends all sessions. */
  revoke(): void;
  /** Makes the next requests other than logins fail in these ways, one after the other. */
  failNext(...faults: readonly Fault[]): void;
  /** Makes the next logins fail in these ways. */
  failNextLogin(...faults: readonly Fault[]): void;
  /** Answers every later login with this text. */
  answerLogins(text: string): void;
  /** While it is true, requests wait for their reply. */
  hold(isHeld: boolean): void;
  close(): Promise<void>;
}

export interface GuardedOptions {
  readonly demand?: Demand;
  /** Lifetime of a session that the orchestrator reports; absent: the orchestrator reports none. */
  readonly lifeSeconds?: number;
  /** Port; default: a free port. */
  readonly port?: number;
}

/**
 * Starts an orchestrator; its account is `ada` with the password `s3cret-of-ada` and the key `k3y-of-ada`.
 */
export async function startGuardedOrchestrator(options: GuardedOptions = {}): Promise<GuardedOrchestrator> {
  const guard = createGuard(options.demand ?? 'none', options.lifeSeconds);
  const [faults, loginFaults] = [createFaults(), createFaults()];
  const arrivals: Arrival[] = [];
  const done: string[] = [];
  const held: (() => void)[] = [];
  let isHeld = false;
  let loginText: string | undefined;

  const server = createServer((request, response) => {
    void serve(request, response).catch(() => response.destroy());
  });
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: target = '', headers } = request;
    const isLogin = guard.isLogin(target);
    const fault = (isLogin ? loginFaults : faults).next();
    if (fault && 'resetBefore' in fault) {
      request.socket.resetAndDestroy();
      return;
    }
    const arrival = { method, target, headers, body: await text(request) };
    arrivals.push(arrival);
    if (isHeld && !isLogin) await new Promise<void>((resolve) => held.push(resolve));
    if (fault && actOut(fault, response)) return;
    if (isLogin) serveLogin(arrival, response);
    else serveResource(arrival, response, fault);
  }
  function serveLogin(arrival: Arrival, response: ServerResponse): void {
    if (loginText === undefined) guard.logIn(arrival, response);
    else response.end(loginText);
  }
  function serveResource(arrival: Arrival, response: ServerResponse, fault?: Fault): void {
    const isAdmitted = guard.admits(arrival);
    if (isAdmitted) done.push(`${arrival.method} ${arrival.target}`);
    if (fault && 'resetAfter' in fault) {
      response.socket?.resetAndDestroy();
      return;
    }
    response.writeHead(isAdmitted ? 200 : guard.refusal, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ target: arrival.target }));
  }
  const { port, connections, close } = await listenOnLoopback(server.unref(), { port: options.port ?? 0 });
  return {
    url: `http://127.0.0.1:${port}`,
    done,
    arrivals,
    connections,
    ...sessionsOf(guard),
    failNext: faults.add,
    failNextLogin: loginFaults.add,
    answerLogins(next) {
      loginText = next;
    },
    hold(next) {
      isHeld = next;
      if (!next) for (const release of held.splice(0)) release();
    },
    close,
  };
}

function sessionsOf(guard: Guard): Pick<GuardedOrchestrator, 'issued' | 'refusedLogins' | 'revoke'> {
  return {
    issued: guard.issued,
    refusedLogins: () => guard.refusedLogins(),
    revoke: () => {
      guard.revoke();
    },
  };
}
