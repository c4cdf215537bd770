import { headerOf } from '../../core/adapter.js';
import { isHeaderValue } from '../../core/header.js';
import type { HttpReply, HttpRequest, ReplyHeaders } from '../../core/http.js';
import { Secret } from '../../core/secret.js';
import { valueAt } from '../../json/pointer.js';
import type { Clock } from '../../lib/clock.js';
import type { LoginSettings, LoginStepSettings } from '../../settings/adapter.js';
import { appliedHeaders, basicCredentials } from '../adapter-auth.js';
import { type BaseUrl, confine } from '../target.js';
import {
  loginFailure,
  loginStatusProblem,
  type LoginTools,
  parseReplyJson,
  type OpenedSession,
  type OpenSession,
  lifetimeSecondsOf,
} from './session.js';

/** Maximum length of a value extracted from a reply. */
const MAX_VALUE_LENGTH = 16_384;

/** State of a running login. */
interface LoginProgress {
  readonly extracted: Map<string, string>;
  readonly cookies: Cookies;
  lifeSeconds?: number;
}

/** Returns a login that runs the declared steps below one base URL. */
export function stepsLogin(settings: LoginSettings, base: BaseUrl, clock: Clock): OpenSession {
  return async (tools) => {
    const progress: LoginProgress = { extracted: new Map(), cookies: new Map() };
    for (const [at, step] of settings.steps.entries()) {
      const subject = `step ${at + 1} of the login`;
      const reply = await tools.send(stepRequest(step, { base, subject }, progress));
      collectCookies(progress.cookies, reply.headers, clock.now());
      for (const value of progress.cookies.values()) tools.maskSecret(value);
      checkReply(step, reply, subject);
      extractValues(step, { reply, subject }, { progress, tools });
      if (typeof settings.expiresIn === 'string') {
        const reported = lifetimeSecondsOf(valueAt(parseReplyJson(reply), settings.expiresIn));
        if (reported !== undefined) progress.lifeSeconds = reported;
      }
    }
    return sessionOf(settings, progress);
  };
}

function stepRequest(
  { request }: LoginStepSettings,
  { base, subject }: { readonly base: BaseUrl; readonly subject: string },
  { extracted, cookies }: LoginProgress,
): HttpRequest {
  const { method, path, headers, basic, body, form } = request;
  const cookie = cookieHeader(cookies);
  const content = contentOf(
    body && JSON.stringify(fillJsonTemplate(body, extracted)),
    form && fillSecretTemplates(form, extracted),
  );
  return {
    method,
    url: stepUrl(base, fillTemplate(path, extracted, encodeURIComponent), subject),
    headers: {
      'user-agent': 'gatehouse',
      ...content.headers,
      ...withLowerCaseNames(fillSecretTemplates(headers, extracted)),
      ...(basic && { authorization: basicCredentials(basic.username.reveal(), basic.password.reveal()) }),
      ...(cookie !== undefined && { cookie }),
    },
    ...(content.text !== undefined && { body: Buffer.from(content.text) }),
  };
}

/**
 * Returns the URL of a step. The path was validated with the settings, but extracted values may make it
 * invalid.
 */
function stepUrl(base: BaseUrl, path: string, subject: string): string {
  try {
    return confine(base, path);
  } catch {
    throw loginFailure(subject, 'could not be sent: a value from an earlier step is not valid in its path');
  }
}

function contentOf(
  json: string | undefined,
  form: Readonly<Record<string, string>> | undefined,
): { readonly text?: string; readonly headers?: Readonly<Record<string, string>> } {
  if (json !== undefined) return { text: json, headers: { 'content-type': 'application/json' } };
  if (form === undefined) return {};
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return { text: new URLSearchParams(form).toString(), headers };
}

function withLowerCaseNames(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function checkReply({ refusedBy }: LoginStepSettings, reply: HttpReply, subject: string): void {
  if (reply.status >= 400) throw loginStatusProblem(subject, reply);
  if (refusedBy !== null && reply.body.includes(refusedBy))
    throw loginFailure(subject, 'was answered with the text that marks a refusal');
}

interface LoginReply {
  readonly reply: HttpReply;
  readonly subject: string;
}

function extractValues(
  step: LoginStepSettings,
  { reply, subject }: LoginReply,
  { progress, tools }: { readonly progress: LoginProgress; readonly tools: LoginTools },
): void {
  const json = parseReplyJson(reply);
  for (const [name, source] of Object.entries(step.take)) {
    const value = valueOf(source, { reply, json, cookies: progress.cookies });
    if (value === undefined || value === '')
      throw loginFailure(subject, `was answered without "${name}" in its reply`);
    if (value.length > MAX_VALUE_LENGTH)
      throw loginFailure(subject, `was answered with a "${name}" longer than ${MAX_VALUE_LENGTH} characters`);
    tools.maskSecret(value);
    progress.extracted.set(name, value);
  }
}

interface ReplyParts {
  readonly reply: HttpReply;
  readonly json: unknown;
  readonly cookies: Cookies;
}

function valueOf(source: string, { reply, json, cookies }: ReplyParts): string | undefined {
  if (source === '') return reply.body.toString('utf8').trim();
  if (source.startsWith('header:'))
    return headerOf(reply.headers, source.slice('header:'.length).toLowerCase());
  if (source.startsWith('cookie:')) return cookies.get(source.slice('cookie:'.length));
  const value = valueAt(json, source);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

function sessionOf(
  { apply, expiresIn }: LoginSettings,
  { extracted, cookies, lifeSeconds }: LoginProgress,
): OpenedSession {
  const cookie = apply.cookies ? cookieHeader(cookies) : undefined;
  const headers = {
    ...(cookie !== undefined && { cookie }),
    ...Object.fromEntries(
      appliedHeaders(apply).map(([name, template]) => [name, fillTemplate(template, extracted)] as const),
    ),
  };
  for (const [name, value] of Object.entries(headers)) {
    if (!isHeaderValue(value))
      throw loginFailure('the login', `gave a value for the header "${name}" that no header can carry`);
  }
  const life = typeof expiresIn === 'number' ? expiresIn : lifeSeconds;
  return { headers, ...(life !== undefined && { lifeSeconds: life }) };
}

/** Cookies of one login, by name. */
export type Cookies = Map<string, string>;

/** Limits for the number and length of cookies (RFC 6265 section 6.1); the excess is dropped. */
const MAX_COOKIES = 50;
const MAX_COOKIE_LENGTH = 4096;

/**
 * Applies `Set-Cookie` headers and deletes expired cookies. Domain and path are ignored: all requests go to
 * one base URL.
 */
export function collectCookies(cookies: Cookies, headers: ReplyHeaders, now: number): void {
  for (const line of [headers['set-cookie'] ?? []].flat()) {
    const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
    const [, name = '', value = ''] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)=([\x21-\x7e]*)$/.exec(pair) ?? [];
    if (name === '' || pair.length > MAX_COOKIE_LENGTH) continue;
    if (isExpired(attributes, now)) cookies.delete(name);
    else if (cookies.has(name) || cookies.size < MAX_COOKIES) cookies.set(name, value);
  }
}

/** Returns the value of a `Cookie` header; `undefined` without cookies. */
export function cookieHeader(cookies: Cookies): string | undefined {
  if (cookies.size === 0) return undefined;
  return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
}

function isExpired(attributes: readonly string[], now: number): boolean {
  const named = (name: string): string | undefined =>
    attributes.find((attribute) => attribute.toLowerCase().startsWith(`${name}=`))?.slice(name.length + 1);
  const maxAge = named('max-age');
  // Max-Age takes precedence over Expires.
  if (maxAge !== undefined) return Number(maxAge) <= 0;
  return Date.parse(named('expires') ?? '') <= now;
}

/** Values that the steps of a login have extracted so far, by name. */
type ExtractedValues = ReadonlyMap<string, string>;

const PLACEHOLDER = /\{([A-Za-z][A-Za-z0-9_]*)\}/g;

/** Returns the placeholder names of a text, for example `token` for `{token}`. */
export function placeholdersIn(text: string): readonly string[] {
  return [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name);
}

/**
 * Replaces each `{name}` with its extracted value. Other braces are kept, because a password may contain
 * them.
 */
export function fillTemplate(
  text: string,
  extracted: ExtractedValues,
  encode: (value: string) => string = String,
): string {
  return text.replace(PLACEHOLDER, (placeholder, name: string) => {
    const value = extracted.get(name);
    return value === undefined ? placeholder : encode(value);
  });
}

/** Returns a JSON value with secrets revealed and placeholders replaced. */
export function fillJsonTemplate(value: unknown, extracted: ExtractedValues): unknown {
  if (value instanceof Secret) return fillTemplate(value.reveal(), extracted);
  if (typeof value === 'string') return fillTemplate(value, extracted);
  if (Array.isArray(value)) return value.map((item) => fillJsonTemplate(item, extracted));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, fillJsonTemplate(member, extracted)]),
  );
}

/** Returns a map of secrets, revealed and with placeholders replaced. */
function fillSecretTemplates(
  secrets: Readonly<Record<string, Secret>>,
  extracted: ExtractedValues,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(secrets).map(([name, value]) => [name, fillTemplate(value.reveal(), extracted)]),
  );
}
