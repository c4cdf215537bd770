import { type ReactNode, useState } from 'react';
import type { RuleKind } from '../../../../src/core/record-history.js';
import { useAnswer, useWrite } from '../../api/queries.js';
import type { ApiRequest } from '../../api/request.js';
import { Button } from '../../kit/button.js';
import { CopyAsCurl } from '../../kit/copy.js';
import { Dialog } from '../../kit/dialog.js';
import { DiffView } from '../../kit/diff-view.js';
import { Failure, Read } from '../../kit/feedback.js';
import { TextField } from '../../kit/fields.js';
import { useToast } from '../../kit/toasts.js';
import { textOf } from '../../text/text.js';
import { areValid, NO_TERMS, TermsFields, termsOf } from '../history/change-terms.js';
import { type ListedRule, RULE_CHANGES, type RuleDocument, rulePath, type RulePreview } from './rule.js';

const text = textOf('rules');

/** Returns what a change does, in sentences. */
export type Sentences<Effect> = (preview: RulePreview<Effect>) => readonly string[];

interface RuleDialogProps<Effect> {
  readonly kind: RuleKind;
  readonly title: string;
  /** The rule that is edited; undefined for a new one. */
  readonly edited: ListedRule | undefined;
  readonly name: string;
  /** True if another rule has the name. */
  readonly isTaken: boolean;
  readonly onName: (name: string) => void;
  /** The rule as the fields have it. */
  readonly document: RuleDocument;
  /** The fields of the rule. */
  readonly children: ReactNode;
  /** False while the fields lack a value. */
  readonly isReady: boolean;
  readonly sentences: Sentences<Effect>;
  readonly onClose: () => void;
}

/** Edits a rule in a dialog: its fields, then what the change does, in sentences, then the confirmation. */
export function RuleDialog<Effect>(props: RuleDialogProps<Effect>): ReactNode {
  const { kind, title, edited, name, isTaken, onName, document, children, isReady, sentences, onClose } =
    props;
  const [isReviewing, setReviewing] = useState(false);
  if (isReviewing)
    return (
      <ConfirmRule
        kind={kind}
        title={title}
        verb={text('save')}
        name={name}
        edited={edited}
        document={document}
        sentences={sentences}
        onBack={() => setReviewing(false)}
        onClose={onClose}
      />
    );
  return (
    <Dialog
      title={title}
      isOpen
      isWide
      onClose={onClose}
      actions={
        <Button
          kind="primary"
          isDisabled={!isReady || isTaken || name === ''}
          onPress={() => setReviewing(true)}
        >
          {text('review')}
        </Button>
      }
    >
      {children}
      {!edited && (
        <TextField
          label={text('name')}
          value={name}
          help={text('nameHelp')}
          isRequired
          onChange={onName}
          {...(isTaken && { error: text('nameTaken') })}
        />
      )}
    </Dialog>
  );
}

interface ConfirmRuleProps<Effect> {
  readonly kind: RuleKind;
  readonly title: string;
  /** Text of the confirming button. */
  readonly verb: string;
  readonly name: string;
  readonly edited: ListedRule | undefined;
  /** Null deletes the rule. */
  readonly document: RuleDocument | null;
  readonly sentences: Sentences<Effect>;
  readonly onBack?: () => void;
  readonly onClose: () => void;
}

/** Shows what a change of a rule does, by the server, asks for the reason, and sends the change. */
export function ConfirmRule<Effect>(props: ConfirmRuleProps<Effect>): ReactNode {
  const { kind, title, verb, name, edited, document, sentences, onBack, onClose } = props;
  const [terms, setTerms] = useState(NO_TERMS);
  const showToast = useToast();
  const write = useWrite(RULE_CHANGES);
  const preview = useAnswer<RulePreview<Effect>>({
    method: 'POST',
    path: rulePath(kind, name, 'preview'),
    body: { properties: document },
  });
  const request = requestOf(props, termsOf(terms).comment);
  const save = () =>
    write.mutate(request, {
      onSuccess: () => {
        showToast('success', text(document ? 'saved' : 'deleted', { name }));
        onClose();
      },
    });
  return (
    <Dialog
      title={title}
      isOpen
      isWide
      onClose={onClose}
      actions={
        <>
          <Button
            kind={document ? 'primary' : 'danger'}
            isBusy={write.isPending}
            isDisabled={!preview.isSuccess || !areValid(terms)}
            onPress={save}
          >
            {verb}
          </Button>
          {onBack && <Button onPress={onBack}>{text('back')}</Button>}
        </>
      }
    >
      <Read query={preview} what={text('effects')}>
        {(found) => (
          <>
            <ul className="gh-effects" aria-label={text('effects')}>
              {sentences(found).map((sentence) => (
                <li key={sentence}>{sentence}</li>
              ))}
            </ul>
            {edited && document && (
              <DiffView before={edited.rule} after={document} labels={[text('current'), text('new')]} />
            )}
          </>
        )}
      </Read>
      {write.error && <Failure problem={write.error} />}
      <TermsFields entry={terms} onChange={setTerms} canWait={false} />
      <p>
        <CopyAsCurl wanted={request} />
      </p>
    </Dialog>
  );
}

function requestOf(
  { kind, name, edited, document }: Pick<ConfirmRuleProps<never>, 'kind' | 'name' | 'edited' | 'document'>,
  comment: string | undefined,
): ApiRequest {
  const ifMatch = typeof edited?.revision === 'number' ? { ifMatch: `"${edited.revision}"` } : {};
  const path = rulePath(kind, name);
  if (document)
    return {
      method: 'PUT',
      path,
      body: { properties: document, ...(comment !== undefined && { comment }) },
      ...(edited ? ifMatch : { ifNoneMatch: '*' }),
    };
  const query = comment === undefined ? '' : `?${new URLSearchParams({ comment })}`;
  return { method: 'DELETE', path: path + query, ...ifMatch };
}
