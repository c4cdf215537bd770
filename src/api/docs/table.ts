import { type Content, type Html, html } from '../../core/html.js';

/** Renders a table, or nothing if there are no rows. The first cell of each row is its header. */
export function table(
  caption: string,
  heads: readonly string[],
  rows: readonly (readonly Content[])[],
): Html {
  if (rows.length === 0) return html``;
  // On a narrow screen the cells are stacked. Without the roles, a screen reader would not recognize the
  // table.
  return html`<table role="table">
    <caption>
      ${caption}
    </caption>
    <thead role="rowgroup">
      <tr role="row">
        ${heads.map((head) => html`<th role="columnheader" scope="col">${head}</th>`)}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${rows.map(row)}
    </tbody>
  </table> `;
}

function row([name, ...cells]: readonly Content[]): Html {
  return html`<tr role="row">
    <th role="rowheader" scope="row">${name}</th>
    ${cells.map((cell) => html`<td role="cell">${cell}</td>`)}
  </tr> `;
}
