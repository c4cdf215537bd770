import type { ReactNode } from 'react';
import { Button } from '../../kit/button.js';
import { Dialog } from '../../kit/dialog.js';
import { DiffView } from '../../kit/diff-view.js';
import { textOf } from '../../text/text.js';
import { areValid, type TermsEntry, TermsFields } from '../history/change-terms.js';
import type { ListedProfile } from './profile.js';

const text = textOf('profiles');

interface SaveDialogProps {
  readonly listed: ListedProfile;
  /** The profile as edited. */
  readonly edited: object;
  readonly terms: TermsEntry;
  readonly onTerms: (terms: TermsEntry) => void;
  readonly onSave: () => void;
  readonly onClose: () => void;
}

/** Shows what an edit changes, and asks for the reason and whether the change needs a confirmation. */
export function SaveDialog(props: SaveDialogProps): ReactNode {
  const { listed, edited, terms, onTerms, onSave, onClose } = props;
  const { metadata, profile } = listed;
  const { isActive } = metadata;
  return (
    <Dialog
      title={text(isActive ? 'save.activeTitle' : 'save.title', { id: profile.id })}
      isOpen
      isWide
      onClose={onClose}
      actions={
        <Button kind="primary" isDisabled={!areValid(terms)} onPress={onSave}>
          {text('save')}
        </Button>
      }
    >
      <div className="gh-stack">
        <p>{text(isActive ? 'save.activeEffect' : 'save.effect')}</p>
        <TermsFields entry={terms} onChange={onTerms} />
        <DiffView before={profile} after={edited} labels={[text('save.current'), text('save.new')]} />
      </div>
    </Dialog>
  );
}
