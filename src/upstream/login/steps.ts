import type { LoginSettings, LoginStepSettings } from '../../core/adapter-settings.js';
import { headerOf } from '../../core/adapter.js';
import type { Clock } from '../../core/lib/clock.js';
import { isHeaderValue } from '../../core/header.js';
import type { HttpReply, HttpRequest } from '../../core/http.js';
import { valueAt } from '../../core/pointer.js';
import { basicCredentials } from '../adapter-auth.js';
import { type BaseUrl, confine } from '../target.js';
import { appliedHeaders } from './request-headers.js';
import { type Cookies, collectCookies, cookieHeader } from './cookies.js';
import { loginProblem, loginFailed, looseJson, secondsOf } from './refused.js';
import type { LoginTools, OpenedSession, OpenSession } from './session.js';
import { fill, fillJson, fillSecrets } from './template.js';

/** Maximum length of a value extracted from a reply. */
const LONGEST = 16_384;

/** State of a running login. */
interface Progress {
  readonly taken: Map<string, string>;
  readonly cookies: Cookies;
  lifeSeconds?: number;
}

/** Returns a login that runs the declared steps below one base URL. */
export function stepsLogin(settings: LoginSettings, base: BaseUrl, clock: Clock): OpenSession {
  return async (tools) => {
    const progress: Progress = { taken: new Map(), cookies: new Map() };
    for (const [at, step] of settings.steps.entries()) {
      const what = `step ${at + 1} of the login`;
      const reply = await tools.send(stepRequest(step, { base, what }, progress));
      collectCookies(progress.cookies, reply.headers, clock.now());
      for (const value of progress.cookies.values()) tools.keepSecret(value);
      checkReply(step, reply, what);
      take(step, { reply, what }, { progress, tools });
      if (typeof settings.expiresIn === 'string') {
        const reported = secondsOf(valueAt(looseJson(reply), settings.expiresIn));
        if (reported !== undefined) progress.lifeSeconds = reported;
      }
    }
    return sessionOf(settings, progress);
  };
}

function stepRequest(
  { request }: LoginStepSettings,
  { base, what }: { readonly base: BaseUrl; readonly what: string },
  { taken, cookies }: Progress,
): HttpRequest {
  const { method, path, headers, basic, body, form } = request;
  const cookie = cookieHeader(cookies);
  const content = contentOf(body && JSON.stringify(fillJson(body, taken)), form && fillSecrets(form, taken));
  return {
    method,
    url: stepUrl(base, fill(path, taken, encodeURIComponent), what),
    headers: {
      'user-agent': 'gatehouse',
      ...content.headers,
      ...lowerCased(fillSecrets(headers, taken)),
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
function stepUrl(base: BaseUrl, path: string, what: string): string {
  try {
    return confine(base, path);
  } catch {
    throw loginFailed(what, 'could not be sent: what an earlier step took is nothing that its path can hold');
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

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function checkReply({ refusedBy }: LoginStepSettings, reply: HttpReply, what: string): void {
  if (reply.status >= 400) throw loginProblem(what, reply);
  if (refusedBy !== null && reply.body.includes(refusedBy))
    throw loginFailed(what, 'was answered with the text that stands for a refusal');
}

interface LoginReply {
  readonly reply: HttpReply;
  readonly what: string;
}

function take(
  step: LoginStepSettings,
  { reply, what }: LoginReply,
  { progress, tools }: { readonly progress: Progress; readonly tools: LoginTools },
): void {
  const json = looseJson(reply);
  for (const [name, place] of Object.entries(step.take)) {
    const value = valueOf(place, { reply, json, cookies: progress.cookies });
    if (value === undefined || value === '')
      throw loginFailed(what, `was answered without "${name}" in its reply`);
    if (value.length > LONGEST)
      throw loginFailed(what, `was answered with a "${name}" longer than ${LONGEST} characters`);
    tools.keepSecret(value);
    progress.taken.set(name, value);
  }
}

interface Source {
  readonly reply: HttpReply;
  readonly json: unknown;
  readonly cookies: Cookies;
}

function valueOf(place: string, { reply, json, cookies }: Source): string | undefined {
  if (place === '') return reply.body.toString('utf8').trim();
  if (place.startsWith('header:'))
    return headerOf(reply.headers, place.slice('header:'.length).toLowerCase());
  if (place.startsWith('cookie:')) return cookies.get(place.slice('cookie:'.length));
  const value = valueAt(json, place);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

function sessionOf(
  { apply, expiresIn }: LoginSettings,
  { taken, cookies, lifeSeconds }: Progress,
): OpenedSession {
  const cookie = apply.cookies ? cookieHeader(cookies) : undefined;
  const headers = {
    ...(cookie !== undefined && { cookie }),
    ...Object.fromEntries(
      appliedHeaders(apply).map(([name, template]) => [name, fill(template, taken)] as const),
    ),
  };
  for (const [name, value] of Object.entries(headers)) {
    if (!isHeaderValue(value))
      throw loginFailed('the login', `gave something for the header "${name}" that no header can carry`);
  }
  const life = typeof expiresIn === 'number' ? expiresIn : lifeSeconds;
  return { headers, ...(life !== undefined && { lifeSeconds: life }) };
}
