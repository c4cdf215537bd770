import { Button as PfButton } from '@patternfly/react-core/dist/esm/components/Button';
import type { ReactNode } from 'react';

interface ButtonProps {
  readonly children: ReactNode;
  readonly onPress: () => void;
  /** `secondary` by default; `primary` for the main action of a page. */
  readonly kind?: 'primary' | 'secondary' | 'danger' | 'link' | 'plain';
  readonly icon?: ReactNode;
  /** True shows a spinner, and ignores presses. The button keeps the focus. */
  readonly isBusy?: boolean;
  readonly isDisabled?: boolean;
  /** Accessible name, if the text alone is not clear. */
  readonly label?: string;
  readonly isSmall?: boolean;
}

/** Renders a button that runs an action. Use a link to open another page. */
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
      isDisabled={isDisabled}
      isAriaDisabled={isBusy}
      {...(isSmall && { size: 'sm' as const })}
      {...(label !== undefined && { 'aria-label': label })}
      onClick={onPress}
    >
      {children}
    </PfButton>
  );
}

/** Submits the enclosing form, or the form with the id `form`. */
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
    <PfButton type="submit" variant="primary" isLoading={isBusy} isAriaDisabled={isBusy} form={form}>
      {children}
    </PfButton>
  );
}
