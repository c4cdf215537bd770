import type { ReactNode } from 'react';
import { errorTextsOf, setErrorText } from '../../design/error-texts.js';
import { TextField } from '../../kit/fields.js';
import { textOf } from '../../text/text.js';
import type { Design } from './use-design.js';

const text = textOf('designer');

/** Renders the texts that the form shows instead of the usual errors of the selected field (`ui:errors`). */
export function ErrorTextFields({ design }: { readonly design: Design }): ReactNode {
  const { draft, selected, change } = design;
  const texts = errorTextsOf(draft, selected);
  if (texts.length === 0) return null;
  return (
    <details className="gh-property-group">
      <summary>{text('errorTexts')}</summary>
      <div className="gh-stack" role="group" aria-label={text('errorTexts')}>
        <p className="gh-quiet">{text('errorTextsHelp')}</p>
        {texts.map(({ keyword, text: own }) => (
          <TextField
            key={keyword}
            label={text(`error.${keyword}`)}
            value={own}
            onChange={(next) =>
              change(setErrorText(draft, selected, { keyword, text: next }), `${selected} ${keyword} text`)
            }
          />
        ))}
      </div>
    </details>
  );
}
