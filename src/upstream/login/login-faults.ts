import type { LoginSettings, LoginStepSettings } from '../../core/adapter-settings.js';
import { isHeaderName, isHeaderValue, isOwnHeader } from '../../core/header.js';
import { pathFault } from '../path-grammar.js';
import { appliedHeaders } from './request-headers.js';
import { fill, namesIn } from './template.js';

/** A member of `auth`, as a pointer without its first slash, and its fault. */
export type LoginFault = readonly [member: string, message: string];

/** Returns the faults of a declared login that can be detected without running it. Never repeats a secret. */
export function loginFaults(login: LoginSettings): readonly LoginFault[] {
  const known = new Set<string>();
  const ofSteps = login.steps.flatMap((step, at) => {
    const faults = stepFaults(step, at, known);
    for (const name of Object.keys(step.take)) known.add(name);
    return faults;
  });
  return [...ofSteps, ...applyFaults(login, known)];
}

function stepFaults(
  { request }: LoginStepSettings,
  at: number,
  known: ReadonlySet<string>,
): readonly LoginFault[] {
  const place = `steps/${at}/request`;
  const { path, headers, basic } = request;
  const harmless = new Map(namesIn(path).map((name) => [name, 'x']));
  const wrong = pathFault(fill(path, harmless));
  const unknown = unknownName(path, known);
  return [
    ...(unknown === undefined ? [] : [[`${place}/path`, unknown] as const]),
    ...(wrong === undefined ? [] : [[`${place}/path`, wrong] as const]),
    ...Object.entries(headers).flatMap(([name, value]) =>
      isHeaderValue(value.reveal()) ? [] : [[`${place}/headers/${name}`, UNSENDABLE] as const],
    ),
    ...(basic?.username.reveal().includes(':')
      ? [[`${place}/basic/username`, 'must not hold a ":" (RFC 7617)'] as const]
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
      ...(isHeaderValue(template) ? [] : [[member, UNSENDABLE] as const]),
      ...(unknown === undefined ? [] : [[member, unknown] as const]),
    ];
  });
  const isEmpty = applied.length === 0 && !apply.cookies;
  return isEmpty && steps.length > 0 ? [...faults, ['apply', 'names nothing that goes with a call']] : faults;
}

const UNSENDABLE = 'has a character that no header can carry, perhaps a line break at its end';

function unknownName(text: string, known: ReadonlySet<string>): string | undefined {
  const name = namesIn(text).find((one) => !known.has(one));
  return name === undefined ? undefined : `names "{${name}}", which no step before it takes`;
}
