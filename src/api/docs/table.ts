import { type Content, type Html, html } from '../../core/html.js';

/** A table for people; nothing when it has no rows. The first cell of each row names it. */
export function table(
  caption: string,
  heads: readonly string[],
  rows: readonly (readonly Content[])[],
): Html {
  if (rows.length === 0) return html``;
  // On a narrow screen the cells stand below one another, and would be no table to a screen reader without the roles.
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
