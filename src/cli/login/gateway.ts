import { keyUrl } from '../../auth/fetch-keys.js';
import type { HttpClient, HttpLimits, HttpReply } from '../../core/http.js';
import type { ShellProvider } from '../../core/sign-in.js';
import { isJsonObject, type JsonObject, ownMember } from '../../json/json-object.js';
import { jsonText } from '../../json/write-json.js';
import { sentence } from '../../lib/sentence.js';
import { UsageError } from '../lib/command.js';
import { withConnectionAdvice } from './connection-advice.js';

/** Ways to log in that a server offers; the reply of `GET /login/methods`. */
export interface LoginMethods {
  readonly password: boolean;
  readonly issuers: readonly ShellProvider[];
}

/** Identity of a caller; the used part of the reply of `GET /whoami`. */
export interface CallerIdentity {
  readonly username: string;
  readonly provenance: string;
  readonly roles: readonly string[];
}

/** A refusal by the server. The message is what the server says, and what to do next. */
export class Refusal extends Error {
  readonly status: number;
  /** Errors of the members of a request. Pointers start at its body. */
  readonly errors: readonly MemberError[];

  constructor(status: number, message: string, errors: readonly MemberError[] = []) {
    super(message);
    this.status = status;
    this.errors = errors;
  }
}

interface MemberError {
  readonly pointer: string;
  readonly message: string;
}

/** Headers, body and limits of a request to a gatehouse. */
interface GatewayRequest {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** Default: those of a login. */
  readonly limits?: HttpLimits;
}

/** The operations of a gatehouse that logins use. Every method throws an Error that says what to do. */
export interface Gateway {
  readonly url: string;
  /** Sends a request with a JSON body. Throws a {@link Refusal} for each status other than 200. */
  send(method: string, path: string, request?: GatewayRequest): Promise<HttpReply>;
  methods(): Promise<LoginMethods>;
  logIn(username: string, password: string): Promise<string>;
  whoAmI(token: string): Promise<CallerIdentity>;
  revoke(token: string): Promise<void>;
}

/** Removes control and format characters of a text from another machine, which could control the terminal. */
export function withoutControls(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]/gu, '');
}

/** Limits of one request to a gatehouse. */
const LIMITS: HttpLimits = { totalMs: 30_000, replyBytes: 1024 * 1024 };

/**
 * Returns the URL of a server in the spelling of the keyring: without query, fragment and trailing slash. Throws
 * a UsageError for plain http to another machine, because the token would be readable on the way.
 */
export function serverUrl(text: string): string {
  const written = /^[a-z]+:\/\//i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(written)) throw new UsageError(`"${text}" is not a URL; write https://HOST[:PORT]`);
  const url = new URL(written);
  if (!keyUrl(written))
    throw new UsageError(
      `${url.origin} needs https, without credentials in it; http is for this machine only`,
    );
  return url.origin + url.pathname.replace(/\/+$/, '');
}

export function createGateway(url: string, http: HttpClient): Gateway {
  async function send(
    method: string,
    path: string,
    { headers = {}, body, limits = LIMITS }: GatewayRequest = {},
  ): Promise<HttpReply> {
    const json = body === undefined ? undefined : Buffer.from(jsonText(body));
    const request = {
      method,
      url: url + path,
      headers: {
        accept: 'application/json, text/plain',
        ...headers,
        ...(json && { 'content-type': 'application/json' }),
      },
      ...(json && { body: json }),
    };
    const reply = await http.send(request, limits).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : 'unknown';
      throw new Error(withConnectionAdvice(`${url} cannot be reached: ${reason}`));
    });
    if (reply.status === 200) return reply;
    throw refusalOf(url, reply);
  }

  return {
    url,
    send,
    async methods() {
      const { password, issuers } = objectIn(await send('GET', '/login/methods'));
      if (!Array.isArray(issuers) || !issuers.every(isShellProvider))
        throw new Error(`${url} is not a gatehouse`);
      return { password: password === true, issuers };
    },
    async logIn(username, password) {
      const { body } = await send('POST', '/login', { body: { username, password } });
      return body.toString('utf8');
    },
    async whoAmI(token) {
      const caller = objectIn(
        await send('GET', '/whoami', { headers: { authorization: `Bearer ${token}` } }),
      );
      const { username = '', provenance = '', groups } = caller;
      const roles = Array.isArray(groups)
        ? groups.map((group: { name?: unknown }) => String(group.name))
        : [];
      return { username: String(username), provenance: String(provenance), roles };
    },
    async revoke(token) {
      await send('DELETE', '/console/session', { headers: { cookie: `token=${token}` } });
    },
  };
}

function isShellProvider(value: unknown): value is ShellProvider {
  if (!isJsonObject(value) || !Array.isArray(value['scopes'])) return false;
  const { issuer, name, clientId, scopes } = value;
  return [issuer, name, clientId, ...(scopes as unknown[])].every((member) => typeof member === 'string');
}

function objectIn({ body }: HttpReply): JsonObject {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    if (isJsonObject(value)) return value;
  } catch {
    // The reply is not JSON, so it is not that of a gatehouse.
  }
  return {};
}

function refusalOf(url: string, reply: HttpReply): Refusal {
  const { detail, recommendation, code, errors } = objectIn(reply);
  if (typeof code !== 'string' || typeof detail !== 'string')
    return new Refusal(
      reply.status,
      `${url} is not a gatehouse with this command: it answers with status ${reply.status}`,
    );
  const sentences = [sentence(detail), recommendation];
  const message = withoutControls(sentences.filter((part) => typeof part === 'string').join(' '));
  return new Refusal(reply.status, message, memberErrorsOf(errors));
}

function memberErrorsOf(errors: unknown): readonly MemberError[] {
  if (!Array.isArray(errors)) return [];
  return errors.map((error: unknown) => ({
    pointer: textIn(error, 'pointer'),
    message: textIn(error, 'message'),
  }));
}

function textIn(value: unknown, name: string): string {
  const text = ownMember(value, name);
  return typeof text === 'string' ? withoutControls(text) : '';
}
