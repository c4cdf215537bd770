import type { ReactNode } from 'react';

/** `primary` for the main action of a page, `link` and `plain` for actions without a frame. */
type ButtonKind = 'primary' | 'secondary' | 'danger' | 'link' | 'plain';

export interface ButtonProps {
  readonly children: ReactNode;
  readonly onPress: () => void;
  /** `secondary` by default. */
  readonly kind?: ButtonKind;
  readonly icon?: ReactNode;
  /** True shows that the action runs, and ignores presses. The button keeps the focus. */
  readonly isBusy?: boolean;
  readonly isDisabled?: boolean;
  /** Accessible name, if the text alone is not clear. */
  readonly label?: string;
  readonly isSmall?: boolean;
}

/** Renders a button that runs an action. Use a link to open another page. */
export function Button(props: ButtonProps): ReactNode {
  const { children, onPress, kind, icon, isBusy = false, isDisabled = false, label, isSmall } = props;
  return (
    <button
      type="button"
      className="gh-button"
      data-kind={kind}
      data-size={isSmall === true ? 'small' : undefined}
      disabled={isDisabled}
      aria-disabled={isBusy || undefined}
      aria-busy={isBusy || undefined}
      aria-label={label}
      onClick={isBusy ? undefined : onPress}
    >
      {icon}
      {children}
    </button>
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
    <button
      type="submit"
      className="gh-button"
      data-kind="primary"
      form={form}
      aria-disabled={isBusy || undefined}
      aria-busy={isBusy || undefined}
      onClick={(event) => isBusy && event.preventDefault()}
    >
      {children}
    </button>
  );
}
