import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { problemOf } from '../api/problem.js';
import { Guard } from '../guard/guard.js';
import { isComposing } from '../text/keys.js';
import { Button } from './button.js';
import { Failure } from './feedback.js';
import { text } from './kit-text.js';

export interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Buttons; a close button is always present. */
  readonly actions?: ReactNode;
  readonly isWide?: boolean;
}

/**
 * Renders a modal dialog. The focus moves to its first field, or to the button that closes it; it stays inside, and
 * returns afterwards. Enter in an input of one line presses the primary button. An error of the content is shown in
 * the dialog.
 */
export function Dialog({
  title,
  isOpen,
  onClose,
  children,
  actions,
  isWide = false,
}: DialogProps): ReactNode {
  if (!isOpen) return null;
  return (
    <Modal
      title={title}
      className={isWide ? 'gh-dialog gh-dialog-wide' : 'gh-dialog'}
      onClose={onClose}
      focus={FIRST_FIELD}
    >
      <header>
        <h2>{title}</h2>
        <Button kind="plain" label={text('close')} onPress={onClose}>
          ✕
        </Button>
      </header>
      <div
        className="gh-dialog-body gh-stack"
        role="region"
        tabIndex={0}
        aria-label={title}
        onKeyDown={pressPrimaryByEnter}
      >
        <Guard fallback={(error) => <Failure problem={problemOf(error)} />}>{children}</Guard>
      </div>
      <footer className="gh-actions">
        {actions}
        <Button kind="link" onPress={onClose}>
          {text(actions === undefined ? 'close' : 'cancel')}
        </Button>
      </footer>
    </Modal>
  );
}

/** Types of inputs in which Enter does nothing else. */
const LINE_TYPES: ReadonlySet<string> = new Set(['text', 'search', 'url', 'email', 'number', 'password']);

function pressPrimaryByEnter(event: KeyboardEvent): void {
  const { target } = event;
  if (event.key !== 'Enter' || event.defaultPrevented || isComposing(event)) return;
  if (!(target instanceof HTMLInputElement) || !LINE_TYPES.has(target.type)) return;
  const button = target
    .closest('dialog')
    ?.querySelector<HTMLButtonElement>('footer > [data-kind=primary]:not(:disabled)');
  if (!button) return;
  event.preventDefault();
  button.click();
}

/** The element of a dialog that gets the focus: the first that is there. */
const FIRST_FIELD = [
  '.gh-dialog-body :is(input, textarea, select, .cm-content):not(:disabled)',
  'footer > button:last-of-type',
];

interface ConfirmButtonProps {
  /** Text of the button, and of the confirming button. */
  readonly verb: string;
  /** The question, with the effect of confirming. */
  readonly title: string;
  readonly children: ReactNode;
  readonly isDangerous?: boolean;
  readonly isBusy?: boolean;
  readonly isDisabled?: boolean;
  readonly onConfirm: () => void;
}

/** Renders a button that asks for confirmation and describes the effect. */
export function ConfirmButton(props: ConfirmButtonProps): ReactNode {
  const { verb, title, children, isDangerous = false, isBusy = false, isDisabled = false, onConfirm } = props;
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const confirm = () => {
    close();
    onConfirm();
  };
  return (
    <>
      <Button isBusy={isBusy} isDisabled={isDisabled} onPress={() => setOpen(true)}>
        {verb}
      </Button>
      <Dialog
        title={title}
        isOpen={isOpen}
        onClose={close}
        actions={
          <Button kind={isDangerous ? 'danger' : 'primary'} onPress={confirm}>
            {verb}
          </Button>
        }
      >
        {children}
      </Dialog>
    </>
  );
}

interface ModalProps {
  /** Accessible name. */
  readonly title: string;
  readonly className: string;
  readonly onClose: () => void;
  /** Selectors of the element that gets the focus, the best first; the browser chooses if none is there. */
  readonly focus?: readonly string[];
  readonly children: ReactNode;
}

/**
 * Renders a modal `<dialog>`. The focus moves into it, stays inside, and returns. Escape and a click beside the dialog close
 * it.
 */
export function Modal({ title, className, onClose, focus = [], children }: ModalProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  // A layout effect ends before the element leaves the page: only then does close() return the focus.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    const [first] = focus.flatMap((selector) => element?.querySelector<HTMLElement>(selector) ?? []);
    first?.focus();
    return () => element?.close();
  }, []);
  // The focus stays in the dialog when the button that has it disappears.
  useLayoutEffect(() => {
    if (document.activeElement === document.body) dialog.current?.focus();
  });
  // A press that begins in the dialog and ends beside it selects text.
  const pressed = useRef<EventTarget>(null);
  return (
    <dialog
      ref={dialog}
      className={className}
      tabIndex={-1}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        if (event.target === dialog.current) onClose();
      }}
      onPointerDown={({ target }) => {
        pressed.current = target;
      }}
      onClick={({ target }) => {
        if (target === dialog.current && pressed.current === target) onClose();
      }}
    >
      {children}
    </dialog>
  );
}
