import type { ReactNode } from 'react';
import { asCurl } from '../../api/request.js';
import { text } from '../../design/designer-text.js';
import { lastEditorOf, type StoredForm } from '../../design/draft.js';
import { Link } from '../../kit/link.js';
import { Menu, type MenuAction } from '../../kit/menu.js';
import { StatusLabel } from '../../kit/status.js';
import { Time } from '../../kit/time.js';
import { useToast } from '../../kit/toasts.js';
import { rich } from '../../text/rich.js';
import type { Design } from './use-design.js';

/** Renders the line below the name of a form: where it belongs, its description, and when it was saved. */
export function FormLead({ design }: { readonly design: Design }): ReactNode {
  const { form, draft, isChanged, canEdit } = design;
  return (
    <>
      <Link to="/forms">{text('forms')}</Link> ·{' '}
      {draft.description !== '' && (
        <>
          <span dir="auto">{draft.description}</span> ·{' '}
        </>
      )}
      {/* Both have the same place, so that the first edit moves nothing on the page. */}
      <span className="gh-either">
        <span className="gh-quiet" hidden={isChanged}>
          {savedWords(form)}
        </span>
        <span hidden={!isChanged}>
          <StatusLabel status="busy">{text('unsaved')}</StatusLabel>
        </span>
      </span>{' '}
      {!canEdit && <StatusLabel status="off">{text('readOnlyForm')}</StatusLabel>}
    </>
  );
}

/** Renders when a form was saved, and by whom. */
export function savedWords(form: StoredForm): ReactNode {
  const name = lastEditorOf(form);
  const time = () => <Time at={form.lastUpdated ?? form.created} />;
  return name === '' ? rich(text, 'saved', { time }) : rich(text, 'savedBy', { time, name });
}

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
