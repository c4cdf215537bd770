import assert from 'node:assert/strict';
import { NO_OVERRIDES, type ComponentOverrides } from '../../../src/core/component.js';
import { NO_STATE } from '../../../src/core/platform-state.js';
import type { Desired } from '../../../src/server/reload/desired-state.js';
import { logLevelsOf } from '../../../src/server/reload/log-levels.js';

/** The levels of a snapshot with these adapters, by what their files say of the log, and these wishes. */
function levelsOf(
  adapters: Readonly<
    Record<string, { readonly written?: unknown; readonly levels?: ComponentOverrides['levels'] }>
  >,
  applications: Readonly<Record<string, ComponentOverrides['levels']>> = {},
) {
  const overridesOf = (levels: ComponentOverrides['levels'] = {}): ComponentOverrides => ({
    ...NO_OVERRIDES,
    levels,
  });
  const application = new Map(Object.entries(applications).map(([name, own]) => [name, overridesOf(own)]));
  const desired = {
    adapters: Object.entries(adapters).map(([id, { written, levels }]) => ({
      id,
      overrides: overridesOf(levels),
      written: { value: { log: { level: written } } },
    })),
    state: { ...NO_STATE, overrides: { adapter: new Map(), application } },
  } as unknown as Desired;
  const { base, components } = logLevelsOf({ logLevel: 'warn', desired });
  return {
    base,
    adapter: Object.fromEntries(components.adapter),
    application: Object.fromEntries(components.application),
  };
}

describe('levels of a snapshot', () => {
  it('are those of the main file where no component has its own', () => {
    assert.deepEqual(levelsOf({ a: { written: null }, b: {} }), {
      base: 'warn',
      adapter: {},
      application: {},
    });
  });

  it('are for an adapter those of its file, on every output, and over them those that were asked for', () => {
    const { adapter } = levelsOf({
      a: { written: 'debug' },
      b: { written: 'debug', levels: { file: 'error' } },
      c: { written: null, levels: { console: 'spam' } },
    });
    assert.deepEqual(adapter, {
      a: { console: 'debug', file: 'debug', syslog: 'debug' },
      b: { console: 'debug', file: 'error', syslog: 'debug' },
      c: { console: 'spam' },
    });
  });

  it('are for an application those that were asked for', () => {
    const { application } = levelsOf({}, { Tools: { console: 'error' }, JsonForms: {} });
    assert.deepEqual(application, { Tools: { console: 'error' } });
  });

  it('leave out what is no level: a reference to a secret, for instance', () => {
    assert.deepEqual(levelsOf({ a: { written: '$VAULT_a#level' } }).adapter, {});
  });
});
