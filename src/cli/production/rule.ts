import { isLoopbackHost } from '../../lib/loopback.js';
import type { AdapterSettings } from '../../settings/adapter.js';
import type { Settings } from '../../settings/settings.js';

/** What a setting of a server in production should be, and why. */
export interface ProductionRule<Value> {
  /** Name of the setting in the documentation, for example `audit.durability`. */
  readonly setting: string;
  /** What is wrong, after the pointer of the setting. */
  readonly message: string;
  readonly fix: string;
  /** True if credentials, records or calls are lost or disclosed otherwise; false for advice. */
  readonly isFault: boolean;
  /** Returns the pointers of the values that break the rule. */
  readonly broken: (value: Value, adapters: readonly AdapterSettings[]) => readonly string[];
}

export const at = (pointer: string, isBroken: boolean): readonly string[] => (isBroken ? [pointer] : []);

/** Returns the pointers of the entries of a list that break a rule. */
export const entries = <T>(
  list: readonly T[],
  pointer: (index: number) => string,
  isBroken: (entry: T) => boolean,
): readonly string[] => list.flatMap((entry, index) => at(pointer(index), isBroken(entry)));

/** Returns true for an http URL that leaves this machine. */
export const isPlainHttp = (url: string | null | undefined): boolean =>
  url?.startsWith('http://') === true && !isLoopbackHost(new URL(url).hostname);

/** Returns true if several nodes may share the database. */
export const isPostgres = ({ storage }: Settings): boolean => /^postgres(?:ql)?:/.test(storage.url);

/** Returns true for a URL or a host below `.example`, the name of documentation that no server has (RFC 2606). */
export const isExample = (address: string | null | undefined): boolean =>
  /^(?:\w+:\/\/)?(?:[^/@]*@)?[\w.-]+\.example(?:[:/?]|$)/.test(address ?? '');
