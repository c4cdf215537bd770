/** The header that tells the server that a script of its own page sends a request, and no form of another site. */
export const OWN_PAGE = { 'x-gatehouse-csrf': '1' } as const;
