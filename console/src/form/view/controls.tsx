import type { ButtonHTMLAttributes, ReactNode, RefObject, SelectHTMLAttributes } from 'react';

const PATHS = {
  add: 'M8 3v10M3 8h10',
  remove: 'M4 4l8 8M12 4l-8 8',
  clear: 'M3 8l4-4h6v8H7zM8.5 6.5l3 3M11.5 6.5l-3 3',
  revert: 'M3 7h7a3 3 0 0 1 0 6H7M3 7l3-3M3 7l3 3',
  duplicate: 'M6 6h7v7H6zM3 10V3h7',
  up: 'M8 13V3M4 7l4-4 4 4',
  down: 'M8 3v10M4 9l4 4 4-4',
  json: 'M6 3H5a1 1 0 0 0-1 1v3l-1 1 1 1v3a1 1 0 0 0 1 1h1M10 3h1a1 1 0 0 1 1 1v3l1 1-1 1v3a1 1 0 0 1-1 1h-1',
  table: 'M3 3h10v10H3zM3 6.5h10M3 10h10M7 3v10',
  open: 'M6 4l4 4-4 4',
  edited: 'M11 3l2 2-7 7-3 1 1-3z',
  error: 'M8 2.5l6 11H2zM8 6.5v3.5M8 12v.01',
  missing: 'M8 2.5a5.5 5.5 0 1 0 .01 0M8 5v3.5M8 11v.01',
  loaded: 'M4 8l3 3 5-6',
  menu: 'M4 6l4 4 4-4',
  folder: 'M2.5 4h4l1.5 2h5.5v7h-11z',
} as const;

/** The icons of the form. A word next to each icon, or its accessible name, carries the meaning. */
export type IconName = keyof typeof PATHS;

export function Icon({ name }: { readonly name: IconName }): ReactNode {
  return (
    <svg className="gf-icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: 'primary' | 'danger' | undefined;
}

export function Button({ kind, ...attributes }: ButtonProps): ReactNode {
  return <button type="button" className="gh-button" data-kind={kind} {...attributes} />;
}

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly icon: IconName;
  /** Accessible name. */
  readonly label: string;
}

export function IconButton({ icon, label, ...attributes }: IconButtonProps): ReactNode {
  return (
    <button type="button" className="gf-tool" aria-label={label} {...attributes}>
      <Icon name={icon} />
    </button>
  );
}

interface SelectProps extends SelectHTMLAttributes<HTMLSelectElement> {
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly ref?: RefObject<HTMLSelectElement | null>;
  readonly onPick: (value: string) => void;
}

export function Select({ options, onPick, ...attributes }: SelectProps): ReactNode {
  return (
    <select
      className="gh-input gf-input"
      onChange={(event) => onPick(event.currentTarget.value)}
      {...attributes}
    >
      {options.map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}
