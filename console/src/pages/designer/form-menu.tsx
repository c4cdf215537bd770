import type { ReactNode } from 'react';
import { asCurl } from '../../api/request.js';
import { Menu, type MenuAction } from '../../kit/menu.js';
import { useToast } from '../../kit/toasts.js';
import { textOf } from '../../text/text.js';

const text = textOf('designer');

interface FormMenuProps {
  /** Path of the form on the server. */
  readonly path: string;
  /** Actions above the one of every form, which copies its request as a shell command. */
  readonly actions?: readonly MenuAction[];
}

/** Renders the menu with the actions on a form that change nothing in it. */
export function FormMenu({ path, actions = [] }: FormMenuProps): ReactNode {
  const showToast = useToast();
  const copyCurl = async () => {
    try {
      await navigator.clipboard.writeText(asCurl({ path }));
      showToast('success', text('curlCopied'));
    } catch {
      showToast('danger', text('curlRefused'));
    }
  };
  return (
    <Menu
      label={text('formMenu')}
      actions={[...actions, { key: 'curl', title: text('copyAsCurl'), onPress: () => void copyCurl() }]}
    />
  );
}
