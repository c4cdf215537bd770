import type { ReactNode } from 'react';
import { Button as PfButton } from '@patternfly/react-core/dist/esm/components/Button';

export interface ButtonProps {
  readonly children: ReactNode;
  readonly onPress: () => void;
  /** `secondary` unless it is the one thing to do here. */
  readonly kind?: 'primary' | 'secondary' | 'danger' | 'link' | 'plain';
  readonly icon?: ReactNode;
  /** True shows that it is at work, and takes no second press. */
  readonly isBusy?: boolean;
  readonly isDisabled?: boolean;
  /** What it does, where its text alone does not tell. */
  readonly label?: string;
  readonly isSmall?: boolean;
}

/** Does something. What leads elsewhere is a link. */
export function Button(props: ButtonProps): ReactNode {
  const {
    children,
    onPress,
    kind = 'secondary',
    icon,
    isBusy = false,
    isDisabled = false,
    label,
    isSmall = false,
  } = props;
  return (
    <PfButton
      variant={kind}
      icon={icon}
      isLoading={isBusy}
      isDisabled={isDisabled || isBusy}
      {...(isSmall && { size: 'sm' as const })}
      {...(label !== undefined && { 'aria-label': label })}
      onClick={onPress}
    >
      {children}
    </PfButton>
  );
}

/** Sends the form that it stands in, or the one with the id `form`. */
export function SubmitButton({
  children,
  isBusy = false,
  form,
}: {
  readonly children: ReactNode;
  readonly isBusy?: boolean;
  readonly form?: string;
}): ReactNode {
  return (
    <PfButton type="submit" variant="primary" isLoading={isBusy} isDisabled={isBusy} form={form}>
      {children}
    </PfButton>
  );
}
