import { maySeeAdapter } from '../../core/access-decision.js';
import { adapterNotFound } from '../../core/adapter-names.js';
import type { Principal } from '../../core/principal.js';
import type { AdaptersDeps } from './deps.js';
import { namesOf, type AdapterView } from './require-adapter.js';

type VisibleDeps = Pick<AdaptersDeps, 'adapters' | 'policies'>;

/** Returns the adapters that a caller may see: all for readers, else those with access rules that may admit a call. */
export function visibleAdapters(
  principal: Principal | undefined,
  { adapters, policies }: VisibleDeps,
): readonly AdapterView[] {
  const all = policies();
  return adapters.list().filter(({ document }) => maySeeAdapter(all.get(document.name), principal));
}

/** Returns the adapter with this name. Throws `adapter_not_found`, also for an adapter that the caller may not see. */
export function requireVisibleAdapter(
  name: string | undefined,
  principal: Principal | undefined,
  { adapters, policies }: VisibleDeps,
): AdapterView {
  const view = adapters.find(name ?? '');
  if (!view || !maySeeAdapter(policies().get(view.document.name), principal))
    throw adapterNotFound(name ?? '', namesOf(visibleAdapters(principal, { adapters, policies })));
  return view;
}
