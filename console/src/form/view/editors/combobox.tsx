import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { isComposing } from '../../../text/keys.js';
import { type FormState, isSecretEditor, labelOf, type Option, type Row } from '../../model/index.js';
import { afterPress } from '../after-press.js';
import { boundNotes } from '../binding-loader.js';
import { useFormController } from '../form-controller.js';
import { formText } from '../form-text.js';
import { optionLabel } from '../shown-text.js';
import {
  type Draft,
  DraftErrors,
  type EditorProps,
  errorsOfDraft,
  useDraft,
  useInitialFocus,
} from './draft.js';
import { optionsOf } from './option-editors.js';
import { wiring } from './text-editor.js';

/** Maximum number of shown options; typing filters them. */
const MAX_SHOWN_OPTIONS = 60;

/**
 * A text input with options (WAI-ARIA APG, combobox with a listbox). Validation decides whether other texts
 * are allowed.
 */
export function ComboboxEditor(props: EditorProps): ReactNode {
  const { row, id, initialText, onLeave } = props;
  const controller = useFormController();
  const draft = useDraft(props, (text) => valueTextOf(controller.now(), row, text));
  const control = useInitialFocus<HTMLInputElement>(onLeave !== undefined, initialText);
  const [isOpen, setOpen] = useState(onLeave !== undefined);
  const [at, setAt] = useState(-1);
  const found = matchingOptions(optionsOf(row), draft.text === row.text ? '' : draft.text);
  const shown = found.slice(0, MAX_SHOWN_OPTIONS);
  const active = shown[at];

  const pick = (option: Option) => {
    const text = labelOf(option.value);
    draft.write(text);
    setOpen(false);
    draft.accept(text);
    controller.setPending(undefined);
    onLeave?.('stay');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    const step = listStep({ event, isOpen, count: shown.length, at });
    if (step !== undefined) {
      event.preventDefault();
      setOpen(true);
      setAt(step);
    } else if (event.key === 'Enter' && isOpen && active) {
      event.preventDefault();
      pick(active);
    } else if (event.key === 'Enter' && draft.isRefused) {
      // The text stays, with the message that it is none of the options.
      event.preventDefault();
      setOpen(true);
    } else if (event.key === 'Escape' && isOpen && onLeave === undefined) {
      event.preventDefault();
      setOpen(false);
    } else draft.onKeyDown(event);
  };
  return (
    <span className="gf-editor gf-combobox">
      <input
        ref={control}
        {...wiring(props, draft)}
        type={isHiddenText(row, draft.text) ? 'password' : 'text'}
        role="combobox"
        placeholder={row.placeholder}
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        {...(isOpen && active && { 'aria-activedescendant': `${id}-option-${at}` })}
        onInput={(event) => {
          draft.write(event.currentTarget.value);
          setOpen(true);
          setAt(-1);
        }}
        onClick={() => setOpen(true)}
        onBlur={(event) => {
          afterPress(() => setOpen(false));
          draft.onBlur(event);
        }}
        onKeyDown={onKeyDown}
      />
      <Options
        id={id}
        row={row}
        isOpen={isOpen}
        shown={shown}
        at={at}
        pick={pick}
        more={found.length - shown.length}
      />
      <DraftErrors id={`${id}-errors`} errors={isOpen ? noErrors(draft) : draft.errors} />
    </span>
  );
}

/** Returns only the server errors: while the list is open, the typed text may be incomplete. */
function noErrors(draft: Draft): Draft['errors'] {
  return draft.errors.filter(({ source }) => source === 'server');
}

interface OptionsProps extends Pick<EditorProps, 'id' | 'row'> {
  readonly isOpen: boolean;
  readonly shown: readonly Option[];
  readonly more: number;
  readonly at: number;
  readonly pick: (option: Option) => void;
}

function Options({ id, row, isOpen, shown, more, at, pick }: OptionsProps): ReactNode {
  return (
    <span className="gf-options" hidden={!isOpen}>
      <ul role="listbox" id={`${id}-list`} aria-label={row.title}>
        {isOpen &&
          shown.map((option, index) => (
            <li
              key={labelOf(option.value)}
              id={`${id}-option-${index}`}
              role="option"
              aria-selected={index === at}
              // Keeps the focus in the text input.
              onMouseDown={(event) => {
                event.preventDefault();
                pick(option);
              }}
            >
              <span dir="auto">{optionLabel(option)}</span>
              {labelOf(option.value) !== option.label && (
                <span className="gf-quiet"> {labelOf(option.value)}</span>
              )}
              {option.description !== undefined && <span className="gf-quiet"> {option.description}</span>}
            </li>
          ))}
      </ul>
      <NoOptions row={row} isEmpty={shown.length === 0} />
      {more > 0 && <span className="gf-quiet">{formText('moreOptions', { count: more })}</span>}
    </span>
  );
}

/** Says why there are no options. */
function NoOptions({ row, isEmpty }: { readonly row: Row; readonly isEmpty: boolean }): ReactNode {
  switch (row.bound?.state) {
    case 'missing':
      return <span className="gf-quiet">{boundNotes(row)[0]}</span>;
    case 'waiting':
      return <span className="gf-quiet">{formText('waiting')}</span>;
    case 'failed':
      return (
        <>
          <span className="gf-error">{row.bound.message}</span>
          <span className="gf-quiet">{formText('noOption')}</span>
        </>
      );
    default:
      if (!isEmpty) return null;
      return <span className="gf-quiet">{formText(isClosed(row) ? 'noOptionListed' : 'noOption')}</span>;
  }
}

/**
 * Returns the options whose label or value contains the text, first those that start with it (also after a module
 * prefix).
 */
function matchingOptions(options: readonly Option[], text: string): readonly Option[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return options;
  const ranked = options.flatMap((option) => {
    const ranks = [option.label, labelOf(option.value)].flatMap((text) => rankOf(text.toLowerCase(), wanted));
    return ranks.length === 0 ? [] : [{ option, rank: Math.min(...ranks) }];
  });
  return ranked.sort((a, b) => a.rank - b.rank).map(({ option }) => option);
}

function rankOf(name: string, wanted: string): readonly number[] {
  const at = name.indexOf(wanted);
  if (at < 0) return [];
  return [at === 0 || name[at - 1] === ':' ? 0 : 1];
}

/**
 * Returns the text of the value for a typed text: that of the option with this label or value. Undefined if the schema
 * allows only the options, and the text is none of them.
 */
function valueTextOf(state: FormState, row: Row, text: string): string | undefined {
  const typed = text.trim().toLowerCase();
  if (typed === '' || !isClosed(row)) return text;
  const option = optionsOf(row).find(
    ({ label, value }) => label.toLowerCase() === typed || labelOf(value).toLowerCase() === typed,
  );
  if (option) return labelOf(option.value);
  // Identities may be written without the prefix of their module.
  return errorsOfDraft(state, row, text).length === 0 ? text : undefined;
}

/** Returns true if the schema allows only the options. */
function isClosed({ editor }: Row): boolean {
  return editor.kind === 'combobox' && (editor.source === 'enum' || editor.source === 'identityref');
}

interface ListStep {
  readonly event: KeyboardEvent;
  readonly isOpen: boolean;
  readonly count: number;
  readonly at: number;
}

/** Returns the index of the option that an arrow key selects. */
function listStep({ event, isOpen, count, at }: ListStep): number | undefined {
  if (count === 0) return undefined;
  if (event.key === 'ArrowDown') return isOpen && !event.altKey ? (at + 1) % count : Math.max(at, 0);
  if (event.key === 'ArrowUp') return at <= 0 ? count - 1 : at - 1;
  return undefined;
}

/** Returns true for the text of a secret that is not a reference: a reference begins with `$`. */
function isHiddenText({ editor }: Row, text: string): boolean {
  return isSecretEditor(editor) && text !== '' && !text.startsWith('$');
}
