import { checkWritten, type Written } from '../config/check-written.js';
import type { AdapterPlugin } from '../domain/adapter.js';
import type { Fault } from '../domain/fault.js';
import { valueAt, withValues } from '../domain/pointer.js';
import type { CompileSchema, Validator, Verdict } from '../domain/schema.js';
import { placeFault } from './piece.js';
import type { Plugins } from './plugins.js';
import { referenceSyntax } from './reference-syntax.js';

/** An adapter whose plugin is found, with the plugin's defaults filled in. */
interface CheckedOptions<T extends Written> {
  /** Absent when the type is not known or the plugin cannot be loaded. */
  readonly plugin?: AdapterPlugin;
  readonly written: T;
  /** Checks the options of an adapter's value; pointers count from the adapter. */
  readonly validate: Validator;
  readonly faults: readonly Fault[];
}

const OPTIONS = '/options';

/** Finds an adapter's plugin and checks the options as written; a reference is checked once it is resolved. */
export async function checkOptions<T extends Written>(
  written: T,
  plugins: Plugins,
  compile: CompileSchema,
): Promise<CheckedOptions<T>> {
  const unchecked = { written, validate: () => NOTHING, faults: [] };
  const type = valueAt(written.value, '/plugin');
  // The adapter's own schema has named the fault already.
  if (typeof type !== 'string') return unchecked;
  const plugin = await loadPlugin(type, plugins);
  if ('reason' in plugin) return { ...unchecked, faults: [unknownPlugin(written, plugins, plugin.reason)] };
  const validate = tryCompile(plugin, compile);
  if (!validate)
    return { ...unchecked, faults: [unknownPlugin(written, plugins, 'its options are no JSON Schema')] };
  const { document, at, value, secrets } = written;
  const own = checkWritten(
    { document, at: at + OPTIONS, value: valueAt(value, OPTIONS) },
    { validate, syntax: referenceSyntax },
  );
  return {
    plugin,
    written: {
      ...written,
      value: withValues(value, new Map([[OPTIONS, own.written.value]])),
      secrets: [...secrets, ...own.written.secrets.map(below)],
    },
    validate: (whole) => verdictBelow(validate(valueAt(whole, OPTIONS))),
    faults: own.faults,
  };
}

const NOTHING: Verdict = { violations: [], secrets: [], paths: [] };

async function loadPlugin(type: string, plugins: Plugins): Promise<AdapterPlugin | { reason: string }> {
  if (!plugins.types.includes(type)) return { reason: 'there is no such adapter plugin' };
  return plugins.load(type).catch((error: unknown) => ({ reason: String(error) }));
}

/** The author's mistake must not stop the others: it is a fault of the adapters that use the plugin. */
function tryCompile(plugin: AdapterPlugin, compile: CompileSchema): Validator | undefined {
  try {
    return compile(plugin.options);
  } catch {
    return undefined;
  }
}

function unknownPlugin(written: Written, { types }: Plugins, reason: string): Fault {
  return placeFault(written, {
    pointer: '/plugin',
    code: 'plugin',
    message: reason,
    fix: `Use one of the known plugins: ${types.join(', ')}.`,
  });
}

function below(pointer: string): string {
  return OPTIONS + pointer;
}

function verdictBelow({ violations, secrets, paths }: Verdict): Verdict {
  return {
    violations: violations.map((violation) => ({ ...violation, pointer: below(violation.pointer) })),
    secrets: secrets.map(below),
    paths: paths.map(below),
  };
}
