import type { Store } from '../src/features/store.js';

/** A store that changes no form. */
export function forgetfulStore(store: Store): Store {
  const forms = new Proxy(store.forms, {
    get(target, name): unknown {
      const member: unknown = Reflect.get(target, name);
      if (name === 'update') return () => Promise.resolve(undefined);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
  return { ...store, forms };
}
