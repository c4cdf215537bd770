import Module, * as nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';
import { inheritGeneration } from '../lib/module-generation.js';
import { hostModuleUrl, urlOfHostModule } from './host-module-url.js';

// Plugins import `gatehouse-proxy/plugin` from wherever npm installed them, where Node.js finds no package of that name,
// or another release of it. The functions here lead these imports to the modules of the running gatehouse, so that the
// plugin and the server share classes and values (docs/decisions/0031-plugin-imports.md).

interface Resolved {
  readonly url: string;
}

interface ResolveContext {
  readonly conditions: readonly string[];
  readonly parentURL?: string;
}

/** Functions of Node.js that the types of release 20 do not have. */
interface ModuleHooks {
  /** Absent before Node.js 22.15. */
  readonly registerHooks?: (hooks: {
    readonly resolve: (
      specifier: string,
      context: ResolveContext,
      next: (specifier: string, context: ResolveContext) => Resolved,
    ) => Resolved & { readonly shortCircuit?: boolean };
  }) => void;
}

interface CommonJsLoader {
  _resolveFilename: (specifier: string, ...rest: readonly unknown[]) => string;
}

let isRegistered = false;

/**
 * Leads imports and `require` of `gatehouse-proxy/plugin` in this thread to the modules of this gatehouse. Has no effect if
 * it was called before.
 */
export function registerHostModules(): void {
  if (isRegistered) return;
  isRegistered = true;
  const { registerHooks } = nodeModule as ModuleHooks;
  if (registerHooks)
    registerHooks({
      resolve(specifier, context, next) {
        const url = hostModuleUrl(specifier);
        if (url !== undefined) return { url, shortCircuit: true };
        const found = next(specifier, context);
        if (context.conditions.includes('require')) return found;
        return { ...found, url: inheritGeneration(found.url, context.parentURL) };
      },
    });
  // Before Node.js 22.15, hooks for imports run in another thread.
  else Module.register(new URL('./resolve-hook.js', import.meta.url));
  patchRequire();
}

/**
 * Does the same, and loads the module of plugins. A CommonJS plugin can only `require` an ECMAScript module that is not being
 * imported by another plugin at the same time.
 */
export async function loadHostModules(): Promise<void> {
  registerHostModules();
  await import(urlOfHostModule('plugin'));
}

/** Leads `require`, to which hooks of older releases do not apply, and `require.resolve`, to which those of Node.js 22 do not apply. */
function patchRequire(): void {
  const loader = Module as unknown as CommonJsLoader;
  const resolveFilename = loader._resolveFilename;
  loader._resolveFilename = function (this: unknown, specifier, ...rest) {
    const url = hostModuleUrl(specifier);
    return url === undefined ? resolveFilename.call(this, specifier, ...rest) : fileURLToPath(url);
  };
}
