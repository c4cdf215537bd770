import assert from 'node:assert/strict';
import { NO_OVERRIDES, type ComponentOverrides } from '../../../src/core/component.js';
import { NO_STATE } from '../../../src/core/platform-state.js';
import type { Desired } from '../../../src/server/state/configuration.js';
import { logLevelsOf } from '../../../src/server/state/log-levels.js';

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
  const application = new Map(
    Object.entries(applications).map(([name, requested]) => [name, overridesOf(requested)]),
  );
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

describe('logLevelsOf', () => {
  it('uses the level of the main file for components without their own levels', () => {
    assert.deepEqual(levelsOf({ a: { written: null }, b: {} }), {
      base: 'warn',
      adapter: {},
      application: {},
    });
  });

  it('applies the level in an adapter file to every output, and requested levels on top of it', () => {
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

  it('applies requested levels to applications', () => {
    const { application } = levelsOf({}, { Tools: { console: 'error' }, JsonForms: {} });
    assert.deepEqual(application, { Tools: { console: 'error' } });
  });

  it('ignores an invalid level, such as a reference to a secret', () => {
    assert.deepEqual(levelsOf({ a: { written: '$VAULT_a#level' } }).adapter, {});
  });
});
