import {
  DescriptionList,
  DescriptionListDescription,
  DescriptionListGroup,
  DescriptionListTerm,
} from '@patternfly/react-core/dist/esm/components/DescriptionList';
import type { ReactNode } from 'react';
import '../style/parts.css';

/** Renders a list of names and values; undefined values are left out. */
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

/** Renders a few named facts in one line; on small screens in several lines. */
export function InlineList({
  label,
  facts,
}: {
  readonly label: string;
  readonly facts: Readonly<Record<string, ReactNode>>;
}): ReactNode {
  return (
    <dl className="gh-strip" aria-label={label}>
      {Object.entries(facts).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
