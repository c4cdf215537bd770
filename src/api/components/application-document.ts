import { everywhere } from '../../core/component.js';
import { loggerPropsOf } from '../../core/logger-props.js';
import { Problem } from '../../core/problem.js';
import type { ApplicationsDeps, ApplicationView } from './deps.js';

/** Returns an application as lists and look-ups report it (wire section 5.3). */
export function applicationEntry(view: ApplicationView): object {
  return { metadata: { isActive: true, activeSync: true }, data: applicationDocument(view) };
}

/** Returns an application as clients see it; `loggerProps` contains the log levels in use. */
export function applicationDocument({ name, overrides, presetLevel }: ApplicationView): object {
  return {
    name,
    type: 'Application',
    model: `gatehouse/${name}`,
    properties: {},
    isEncrypted: true,
    loggerProps: loggerPropsOf({ ...everywhere(presetLevel), ...overrides.levels }),
    virtual: false,
  };
}

/** Returns the application with this name. Throws `application_not_found`. */
export function foundApplication({ applications }: ApplicationsDeps, name = ''): ApplicationView {
  const view = applications().find((one) => one.name === name);
  if (!view) throw new Problem('application_not_found', `there is no application "${name}"`);
  return view;
}
