import { type ReactNode, useState } from 'react';
import { checkAt, csvToList, type PasteProblem } from '../../model/index.js';
import { useDesk } from '../form-controller.js';

/** Imports CSV into a list, for example from a spreadsheet. */
export function CsvIn({
  pointer,
  onDone,
}: {
  readonly pointer: string;
  readonly onDone: () => void;
}): ReactNode {
  const desk = useDesk();
  const { labels } = desk;
  const [text, setText] = useState('');
  const [problems, setProblems] = useState<readonly PasteProblem[]>([]);
  const apply = () => {
    const taken = csvToList(desk.now(), pointer, text);
    desk.change(checkAt(taken.state, pointer));
    setProblems(taken.problems);
    if (taken.problems.length === 0) onDone();
  };
  return (
    <div className="gf-csv">
      <textarea
        className="gf-input gf-code"
        rows={6}
        aria-label={labels.fromCsv}
        spellCheck={false}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <p className="gf-quiet">{labels.csvHint}</p>
      <ul role="status" className="gf-links">
        {problems.map(({ line, message }) => (
          <li key={`${line} ${message}`} className="gf-error">
            {labels.line(line)}: {message}
          </li>
        ))}
      </ul>
      <button type="button" className="gf-button gf-primary" onClick={apply}>
        {labels.apply}
      </button>
    </div>
  );
}
