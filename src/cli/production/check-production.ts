import { asAdapterSettings } from '../../config/adapter-schema.js';
import { asSettings } from '../../config/settings-schema.js';
import type { Fault } from '../../core/fault.js';
import { type ConfigSection, type DesiredFiles, locateFault } from '../../server/state/configuration.js';
import type { ProductionRule } from './rule.js';
import { ADAPTER_RULES, MAIN_RULES } from './rules.js';

/** What a configuration lacks for production. */
interface ProductionFindings {
  /** Settings that lose or disclose credentials, records or calls. */
  readonly faults: readonly Fault[];
  readonly warnings: readonly Fault[];
}

/**
 * Compares a configuration without faults with the rules for production. The rules look at the files as they are
 * written: a value that is a reference to a secret breaks none.
 */
export function checkProduction({ main, adapters }: DesiredFiles): ProductionFindings {
  const used = adapters.filter(({ pluginFault }) => pluginFault === undefined);
  const settings = used.map(({ written }) => asAdapterSettings(written.value));
  const findings = [
    ...MAIN_RULES.flatMap((rule) =>
      located(main, rule, rule.broken(asSettings(main.written.value), settings)),
    ),
    ...used.flatMap((section) =>
      ADAPTER_RULES.flatMap((rule) =>
        located(section, rule, rule.broken(asAdapterSettings(section.written.value), [])),
      ),
    ),
  ];
  const of = (isFault: boolean): readonly Fault[] =>
    findings.filter((finding) => finding.isFault === isFault).map(({ fault }) => fault);
  return { faults: of(true), warnings: of(false) };
}

function located(
  { written }: ConfigSection,
  { message, fix, isFault }: ProductionRule<never>,
  pointers: readonly string[],
): readonly { readonly isFault: boolean; readonly fault: Fault }[] {
  return pointers.map((pointer) => ({
    isFault,
    fault: locateFault(written, { pointer, code: 'production', message, fix }),
  }));
}
