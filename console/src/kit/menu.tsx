import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { createPortal } from 'react-dom';
import { COLUMN_KEYS, itemOfKey } from '../text/keys.js';
import { textOf } from '../text/text.js';

/** A menu item: runs an action, or downloads a file. */
export interface MenuAction {
  readonly key: string;
  readonly title: string;
  readonly onPress?: () => void;
  /** Path of a file on the server, and its name after download. */
  readonly file?: { readonly path: string; readonly name: string };
  readonly isDangerous?: boolean;
  /** True adds a separator before the item. */
  readonly isApart?: boolean;
  /** True for the current option of several. */
  readonly isChosen?: boolean;
}

interface MenuProps {
  /** Accessible name: "Actions for core1". */
  readonly label: string;
  readonly actions: readonly MenuAction[];
  /** Text of the button; three dots if absent. */
  readonly title?: string;
  /** Heading above the actions. */
  readonly heading?: string;
  /** `primary` for the main action of a page. */
  readonly kind?: 'default' | 'primary';
  /** The edge of the button that the list is aligned with. */
  readonly side?: 'start' | 'end';
}

/**
 * Renders a button that opens a menu of actions (ARIA Authoring Practices). Without actions there is no button. The open
 * list is no child of the button's row: it stays where it is when rows are sorted again.
 */
export function Menu(props: MenuProps): ReactNode {
  const { label, actions, title, heading, kind = 'default', side = 'end' } = props;
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  if (actions.length === 0) return null;
  const close = () => {
    // A dialog that the item opens returns the focus to the button.
    button.current?.focus();
    setOpen(false);
  };
  const openByKey = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    setOpen(true);
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        className="gh-button gh-menu-button"
        data-kind={title === undefined ? 'plain' : kind}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        aria-label={label === title ? undefined : label}
        onClick={() => setOpen(!isOpen)}
        onKeyDown={openByKey}
      >
        {title ?? '⋮'}
      </button>
      {isOpen &&
        createPortal(
          <MenuList id={id} button={button} label={label} side={side} heading={heading} onClose={close}>
            {actions.map((action) => (
              <MenuItem key={action.key} action={action} onClose={close} />
            ))}
          </MenuList>,
          document.body,
        )}
    </>
  );
}

interface MenuListProps extends Pick<MenuProps, 'label' | 'side'> {
  readonly id: string;
  readonly button: { readonly current: HTMLElement | null };
  readonly heading: string | undefined;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

function MenuList({ id, button, label, side, heading, onClose, children }: MenuListProps): ReactNode {
  const panel = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const shown = panel.current;
    shown?.showPopover();
    if (shown && button.current) place(shown, button.current, side);
    itemsOf(shown)[0]?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    const closeOutside = ({ target }: Event) => {
      const isInside = target instanceof Node && panel.current?.contains(target);
      if (!isInside && !(target instanceof Node && button.current?.contains(target))) onClose();
    };
    const follow = ({ target }: Event) => {
      if (panel.current && button.current && target !== panel.current)
        place(panel.current, button.current, side);
    };
    document.addEventListener('pointerdown', closeOutside, true);
    document.addEventListener('scroll', follow, true);
    window.addEventListener('resize', follow);
    return () => {
      document.removeEventListener('pointerdown', closeOutside, true);
      document.removeEventListener('scroll', follow, true);
      window.removeEventListener('resize', follow);
    };
  });
  const onKeyDown = (event: KeyboardEvent) => {
    const items = itemsOf(panel.current);
    const next = itemOfKey(event.key, COLUMN_KEYS, {
      at: items.indexOf(document.activeElement as HTMLElement),
      count: items.length,
    });
    if (next !== undefined) items[next]?.focus();
    else if (event.key === 'Escape' || event.key === 'Tab') onClose();
    else return;
    event.stopPropagation();
    event.preventDefault();
  };
  return (
    <div ref={panel} className="gh-menu" popover="manual" onKeyDown={onKeyDown}>
      {heading !== undefined && <p className="gh-quiet">{heading}</p>}
      <ul id={id} role="menu" aria-label={label}>
        {children}
      </ul>
    </div>
  );
}

function MenuItem({
  action: { title, onPress, file, isDangerous = false, isApart = false, isChosen },
  onClose,
}: {
  readonly action: MenuAction;
  readonly onClose: () => void;
}): ReactNode {
  const run = () => {
    onClose();
    onPress?.();
  };
  const shared = { role: 'menuitem', tabIndex: -1, className: 'gh-menu-item', 'data-danger': isDangerous };
  return (
    <>
      {isApart && <li role="separator" />}
      <li role="none">
        {file ? (
          <a {...shared} href={file.path} download={file.name} onClick={onClose}>
            {title}
          </a>
        ) : (
          <button type="button" {...shared} data-chosen={isChosen} onClick={run}>
            {title}
            {isChosen === true && <span className="gh-hidden"> ({textOf('kit')('selected')})</span>}
          </button>
        )}
      </li>
    </>
  );
}

function itemsOf(panel: HTMLElement | null): readonly HTMLElement[] {
  return [...(panel?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
}

/** Distance of the list from the button, and from the edges of the window, in pixels. */
const GAP = 4;

/** Places a list below the button, or above it if there is more room. */
function place(panel: HTMLElement, button: HTMLElement, side: MenuProps['side']): void {
  const edge = button.getBoundingClientRect();
  const { innerWidth, innerHeight } = window;
  const below = innerHeight - edge.bottom - 2 * GAP;
  const above = edge.top - 2 * GAP;
  panel.style.maxBlockSize = '';
  const { width, height } = panel.getBoundingClientRect();
  const isBelow = height <= below || below >= above;
  const left = side === 'start' ? edge.left : edge.right - width;
  panel.style.left = `${Math.max(GAP, Math.min(left, innerWidth - width - GAP))}px`;
  panel.style.maxBlockSize = `${isBelow ? below : above}px`;
  panel.style.top = `${isBelow ? edge.bottom + GAP : edge.top - GAP - Math.min(height, above)}px`;
}
