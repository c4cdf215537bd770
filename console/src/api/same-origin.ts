/** Proves to the server that a script of the server's own page sends the request, not a form of another site. */
export const OWN_PAGE = { 'x-gatehouse-csrf': '1' } as const;
