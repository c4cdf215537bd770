import type { LocatedFault } from '../core/fault.js';
import { isHeaderName, isHeaderValue, isOwnHeader } from '../core/header.js';
import type { ReadCacheSettings } from '../core/read-cache.js';
import type { Secret } from '../core/secret.js';
import type {
  AdapterAuthSettings,
  AdapterSettings,
  LoginSettings,
  LoginStepSettings,
  OAuth2Settings,
} from '../settings/adapter.js';
import { appliedHeaders } from './adapter-auth.js';
import { type WrittenBaseUrl, writtenBaseUrls } from './endpoint.js';
import { fillTemplate, placeholdersIn } from './login/steps.js';
import { parseBaseUrl, pathFault } from './target.js';

/**
 * Returns the faults that prevent `openUpstream` from working with these settings; pointers are relative to
 * the adapter's settings.
 */
export function upstreamFaults(settings: AdapterSettings): readonly LocatedFault[] {
  return [
    ...writtenBaseUrls(settings).flatMap(baseUrlFaults),
    ...credentialFaults(settings.auth),
    ...healthFaults(settings),
    ...cacheFaults(settings.cache),
  ];
}

function baseUrlFaults({ pointer, text }: WrittenBaseUrl): readonly LocatedFault[] {
  try {
    parseBaseUrl(text);
    return [];
  } catch (error) {
    const message = error instanceof Error ? error.message : 'is not a URL';
    const fix = 'Write it like https://nso.example:8888/restconf and keep credentials under "auth".';
    return [{ pointer, code: 'base_url', message, fix }];
  }
}

function healthFaults({ health: { path } }: AdapterSettings): readonly LocatedFault[] {
  const message = path === null ? undefined : pathFault(path);
  if (message === undefined) return [];
  return [{ pointer: '/health/path', code: 'health', message, fix: 'Write a plain path such as /restconf.' }];
}

/** Returns the faults of cache rules that contradict themselves, or can never be used. */
function cacheFaults(cache: ReadCacheSettings | null): readonly LocatedFault[] {
  const rules = cache?.rules ?? [];
  return rules.flatMap(({ ttlSeconds, maxSeconds, overridesReplies, paths }, at) => {
    const pointer = `/cache/rules/${at}`;
    const earlier = rules.slice(0, at).flatMap((rule) => rule.paths);
    const isHidden = paths.every((path) => earlier.includes(path) || earlier.includes('/**'));
    return [
      ...(ttlSeconds > maxSeconds
        ? [
            cacheFault(
              `${pointer}/ttlSeconds`,
              'is longer than maxSeconds',
              'Raise maxSeconds, or lower ttlSeconds.',
            ),
          ]
        : []),
      ...(overridesReplies && ttlSeconds === 0
        ? [cacheFault(`${pointer}/overridesReplies`, 'needs a freshness', 'Set ttlSeconds of the rule.')]
        : []),
      ...(isHidden
        ? [
            cacheFault(
              `${pointer}/paths`,
              'are all decided by an earlier rule',
              'Move the rule up, or remove it.',
            ),
          ]
        : []),
    ];
  });
}

function cacheFault(pointer: string, message: string, fix: string): LocatedFault {
  return { pointer, code: 'cache', message, fix };
}

/** Returns the reasons why an adapter's credentials cannot be sent; pointers start with `/auth`. */
function credentialFaults(auth: AdapterAuthSettings): readonly LocatedFault[] {
  switch (auth.type) {
    case 'none':
    case 'query':
      return [];
    case 'basic':
      return auth.username.includes(':') ? [fault('username', 'must not contain a ":" (RFC 7617)')] : [];
    case 'bearer':
      return isHeaderValue(auth.token.reveal()) ? [] : [fault('token', UNSENDABLE_VALUE)];
    case 'header':
      return headerFaults(auth.name, auth.value);
    case 'oauth2':
      return oauth2Faults(auth);
    case 'login':
      return loginFaults(auth).map(([member, message]) => fault(member, message));
  }
}

function oauth2Faults({ tokenUrl, clientId, clientAuth, encoding }: OAuth2Settings): readonly LocatedFault[] {
  const isPlainBasic = clientAuth === 'basic' && encoding === 'json';
  return [
    ...(URL.canParse(tokenUrl) ? [] : [fault('tokenUrl', 'is not a URL')]),
    ...(isPlainBasic && clientId.includes(':')
      ? [fault('clientId', 'must not contain a ":" (RFC 7617)')]
      : []),
  ];
}

function headerFaults(name: string, value: Secret): readonly LocatedFault[] {
  return [
    ...(isHeaderName(name) && !isOwnHeader(name)
      ? []
      : [fault('name', 'is not a header name that can carry credentials')]),
    ...(isHeaderValue(value.reveal()) ? [] : [fault('value', UNSENDABLE_VALUE)]),
  ];
}

function fault(member: string, message: string): LocatedFault {
  return {
    pointer: `/auth/${member}`,
    code: 'auth',
    message,
    fix: 'Correct the value in Vault or in this file.',
  };
}

/** A member of `auth`, as a pointer without its first slash, and its fault. */
type LoginFault = readonly [member: string, message: string];

/** Returns the faults of a declared login that can be detected without running it. Never repeats a secret. */
function loginFaults(login: LoginSettings): readonly LoginFault[] {
  const known = new Set<string>();
  const ofSteps = login.steps.flatMap((step, index) => {
    const faults = stepFaults(step, index, known);
    for (const name of Object.keys(step.take)) known.add(name);
    return faults;
  });
  return [...ofSteps, ...applyFaults(login, known)];
}

function stepFaults(
  { request }: LoginStepSettings,
  index: number,
  known: ReadonlySet<string>,
): readonly LoginFault[] {
  const pointer = `steps/${index}/request`;
  const { path, headers, basic } = request;
  const samples = new Map(placeholdersIn(path).map((name) => [name, 'x']));
  const pathError = pathFault(fillTemplate(path, samples));
  const unknown = unknownName(path, known);
  return [
    ...(unknown === undefined ? [] : [[`${pointer}/path`, unknown] as const]),
    ...(pathError === undefined ? [] : [[`${pointer}/path`, pathError] as const]),
    ...Object.entries(headers).flatMap(([name, value]) =>
      isHeaderValue(value.reveal()) ? [] : [[`${pointer}/headers/${name}`, UNSENDABLE_VALUE] as const],
    ),
    ...(basic?.username.reveal().includes(':')
      ? [[`${pointer}/basic/username`, 'must not contain a ":" (RFC 7617)'] as const]
      : []),
  ];
}

function applyFaults({ apply, steps }: LoginSettings, known: ReadonlySet<string>): readonly LoginFault[] {
  const applied = appliedHeaders(apply);
  const faults = applied.flatMap(([name, template]): readonly LoginFault[] => {
    const member = name === applied[0]?.[0] && apply.header !== null ? 'apply/header' : 'apply/headers';
    const unknown = unknownName(template, known);
    return [
      ...(isHeaderName(name) && !isOwnHeader(name)
        ? []
        : [[member, 'does not begin with the name of a header that can carry credentials'] as const]),
      ...(isHeaderValue(template) ? [] : [[member, UNSENDABLE_VALUE] as const]),
      ...(unknown === undefined ? [] : [[member, unknown] as const]),
    ];
  });
  const isEmpty = applied.length === 0 && !apply.cookies;
  return isEmpty && steps.length > 0
    ? [...faults, ['apply', 'adds neither a header nor a cookie to a call']]
    : faults;
}

function unknownName(text: string, known: ReadonlySet<string>): string | undefined {
  const name = placeholdersIn(text).find((placeholder) => !known.has(placeholder));
  return name === undefined ? undefined : `names "{${name}}", which no earlier step takes`;
}

const UNSENDABLE_VALUE = 'has a character that no header can carry, perhaps a line break at its end';
