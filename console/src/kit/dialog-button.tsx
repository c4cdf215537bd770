import { type ReactNode, useState } from 'react';
import { Button, type ButtonProps } from './button.js';

interface DialogButtonProps extends Omit<ButtonProps, 'children' | 'onPress'> {
  /** Text of the button. */
  readonly verb: string;
  /** Renders the dialog. Receives how to close it. */
  readonly children: (close: () => void) => ReactNode;
}

/** Renders a button that opens a dialog. */
export function DialogButton({ verb, children, ...button }: DialogButtonProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button {...button} onPress={() => setOpen(true)}>
        {verb}
      </Button>
      {isOpen && children(() => setOpen(false))}
    </>
  );
}
