import type { ReactNode } from 'react';
import {
  DescriptionList,
  DescriptionListDescription,
  DescriptionListGroup,
  DescriptionListTerm,
} from '@patternfly/react-core/dist/esm/components/DescriptionList';

/** A list of names and values; undefined values are left out. */
export function Facts({ facts }: { readonly facts: Readonly<Record<string, ReactNode>> }): ReactNode {
  const known = Object.entries(facts).filter(([, value]) => value !== undefined && value !== null);
  return (
    <DescriptionList isHorizontal isCompact>
      {known.map(([name, value]) => (
        <DescriptionListGroup key={name}>
          <DescriptionListTerm>{name}</DescriptionListTerm>
          <DescriptionListDescription>{value}</DescriptionListDescription>
        </DescriptionListGroup>
      ))}
    </DescriptionList>
  );
}
