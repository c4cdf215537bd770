import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { membersOf, ownerOf } from '../../design/branches.js';
import { text } from '../../design/designer-text.js';
import { renameField, setKeyword, titleOf } from '../../design/field-edits.js';
import { placeOf } from '../../design/field-location.js';
import { objectAt } from '../../design/json-edit.js';
import { afterPress } from '../../form/view/after-press.js';
import { TextField } from '../../kit/fields.js';
import { isComposing } from '../../text/keys.js';
import { focusOutline } from './outline-pane.js';
import type { Design } from './use-design.js';

/**
 * Renders the field for a name. The name is applied when the field loses the focus, because a half-typed name
 * may equal the name of another field.
 */
export function NameField({ design, name }: { readonly design: Design; readonly name: string }): ReactNode {
  const { draft, selected, change, follow, nameFocus } = design;
  const [typed, setTyped] = useState(name);
  const area = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!nameFocus.current) return;
    nameFocus.current = false;
    const input = area.current?.querySelector('input');
    input?.focus();
    input?.select();
  }, [nameFocus]);
  const location = placeOf(selected);
  const owner = ownerOf(draft.schema, location?.container ?? '');
  const taken = membersOf(draft.schema, owner).map((member) => member.name);
  const fault = text(typed === '' ? 'nameMissing' : 'nameTaken');
  const isInvalid = typed !== name && (typed === '' || taken.includes(typed));
  const write = (next: string) => {
    setTyped(next);
    // A title that was derived from the name follows the name while it is typed.
    if (objectAt(draft.schema, selected)['title'] !== titleOf(typed)) return;
    change(setKeyword(draft, selected, { keyword: 'title', value: titleOf(next) }), `${selected} name`);
  };
  const rename = () => {
    if (isInvalid || typed === name) return;
    const { draft: renamed, pointer } = renameField(draft, selected, typed);
    change(renamed, `${selected} name`);
    follow(pointer);
  };
  const toOutline = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || isInvalid || isComposing(event)) return;
    rename();
    window.requestAnimationFrame(focusOutline);
  };
  return (
    <div ref={area} onBlur={() => afterPress(rename)} onKeyDown={toOutline}>
      <TextField
        label={text('name')}
        value={typed}
        onChange={write}
        help={text('nameHelp')}
        {...(isInvalid && { error: fault })}
      />
    </div>
  );
}
