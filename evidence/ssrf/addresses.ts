import type { AddressClass } from '../../src/upstream/address.js';
import { dotted, IPV4_RANGES, oracle4 } from '../../test/upstream/address-oracle.js';
import type { Findings } from '../report.js';

const END = 2 ** 32;

/** Returns the oracle as ranges of addresses of one class; the end of each range is exclusive. */
function segments(): readonly { readonly end: number; readonly name: AddressClass }[] {
  const edges = IPV4_RANGES.flatMap(([from, to]) => [from, to + 1]);
  const ends = [...new Set([...edges, END])].filter((edge) => edge > 0).sort((one, other) => one - other);
  return ends.map((end) => ({ end, name: oracle4(end - 1) }));
}

/**
 * S2: compares a classifier for every `step`-th IPv4 address with an oracle that was written from the
 * registries.
 */
export function measureAddresses(classify: (value: number) => AddressClass, step = 1): Findings {
  const wrong: string[] = [];
  let [addresses, disagreements, at] = [0, 0, 0];
  for (const { end, name } of segments())
    for (; at < end; at += step) {
      addresses += 1;
      if (classify(at) === name) continue;
      disagreements += 1;
      if (wrong.length < 5) wrong.push(`${dotted(at)} is ${name}`);
    }
  return { holds: disagreements === 0, figures: { addresses, step, disagreements, wrong } };
}
